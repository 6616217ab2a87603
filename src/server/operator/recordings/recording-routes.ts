import type { Hono } from 'hono';
import { compress } from 'hono/compress';
import * as v from 'valibot';
import { must } from '../../../contract/faults/site-fault.ts';
import { RECORDING_PATHS } from '../../../contract/paths.ts';
import type {
  RecordingsState,
  SessionFilter,
  SessionList,
  SessionSummary,
} from '../../../contract/recordings.ts';
import { DEVICES } from '../../../contract/visitors.ts';
import { JSON_HEADERS, answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { OperatorContext, OperatorEnv } from '../access/operator-request.ts';
import type { Erasure, RecordingKeeper } from '../../recordings/keep-recordings.ts';
import type { Access, Demand } from '../access/guard-access.ts';
import { createCalls, DONE, LOOK } from '../access/create-calls.ts';
import { HOUR_MS } from '../../../contract/time-units.ts';

export type RecordingRoutesDeps = {
  readonly keeper: Pick<RecordingKeeper, 'list' | 'find' | 'readEvents' | 'groupErrors' | 'erase'>;
  readonly state: () => RecordingsState;
  readonly access: Pick<Access, 'demand'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly now: () => number;
};

/** Editors may publish, so they may also erase. */
const ERASE: Demand = { role: 'editor', isChange: true };
/** A person who opens several views of a session in this time watches it once. */
const WATCH_MS = HOUR_MS;
const MAX_WATCHES = 1_000;

const SESSION_PATH = `${RECORDING_PATHS.sessions}/:id`;
const EVENTS_PATH = `${RECORDING_PATHS.segments}/:session/:view`;
/** A list, or a long view, has some MB. */
const LARGE_ANSWERS = [RECORDING_PATHS.sessions, RECORDING_PATHS.errors, SESSION_PATH, EVENTS_PATH];

const ID = /^[\da-f]{32}$/;
const day = v.pipe(v.string(), v.isoDate('must be a day such as 2026-11-16'));
const yes = v.pipe(
  v.literal('true', 'must be true, or left out'),
  v.transform(() => true),
);
const text = v.pipe(v.string(), v.maxLength(255, 'must have at most 255 characters'));
const querySchema = v.strictObject(
  {
    error: v.optional(yes),
    stuck: v.optional(yes),
    slow: v.optional(yes),
    device: v.optional(v.picklist(DEVICES, 'must be mobile or pc')),
    language: v.optional(text),
    country: v.optional(
      v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/, 'must be two letters such as SG')),
    ),
    network: v.optional(text),
    line: v.optional(text),
    day: v.optional(day),
    after: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,16}-[\da-f]{32}$/, 'must be what the last answer calls next')),
    ),
  },
  'is not a filter',
);
const erasureSchema = v.union(
  [
    v.strictObject({ session: v.pipe(v.string(), v.regex(ID, must('session-id'))) }),
    v.strictObject({ before: v.pipe(v.string(), v.isoDate(must('day'))) }),
  ],
  must('erasure'),
);

/** The calls of the console about recordings: the list, one session, its events, errors, and erasing. */
export function addRecordingRoutes(app: Hono<OperatorEnv>, deps: RecordingRoutesDeps): void {
  const { keeper, state, now } = deps;
  const watches = new Map<string, number>();
  const { get, post, note } = createCalls(app, deps);
  for (const path of LARGE_ANSWERS) app.use(path, compress());

  get(RECORDING_PATHS.sessions, LOOK, async (_call, c) => {
    const { after, filter } = readQuery(c);
    return answerJson({ ...(await keeper.list(filter, after)), kept: state() } satisfies SessionList);
  });
  get(RECORDING_PATHS.errors, LOOK, async () => answerJson(await keeper.groupErrors()));
  post(RECORDING_PATHS.erase, { demand: ERASE, schema: erasureSchema }, async (call) => {
    const erasure: Erasure = call.body;
    const to = 'session' in erasure ? erasure.session : `before ${erasure.before}`;
    const entry = { action: 'recordings-erased', to } as const;
    await keeper.erase(erasure).catch((error: unknown) => {
      // A part may be gone, so the audit log must say who asked for it.
      note(call, { ...entry, isUncertain: true });
      throw error;
    });
    note(call, entry);
    return answerJson(DONE);
  });
  get(SESSION_PATH, LOOK, async (_call, c) => answerJson(await findSession(c.req.param('id'))));
  get(EVENTS_PATH, LOOK, async (call, c) => {
    const { id: session, views } = await findSession(c.req.param('session'));
    const view = views.find((each) => each.id === c.req.param('view')) ?? refuseSession();
    if (isNewWatch(`${call.actor.name} ${session}`)) note(call, { action: 'session-watched', to: session });
    const segments = keeper.readEvents(session, view.id);
    // Read before the answer begins: a database that is away is told, instead of half an answer.
    const first = await segments.next();
    return new Response(ReadableStream.from(writeEvents(first, segments)), { headers: JSON_HEADERS });
  });

  async function findSession(session: string | undefined): Promise<SessionSummary> {
    const found = session !== undefined && ID.test(session) ? await keeper.find(session) : undefined;
    return found ?? refuseSession();
  }

  function isNewWatch(watch: string): boolean {
    const last = watches.get(watch);
    if (last !== undefined && Math.abs(now() - last) < WATCH_MS) return false;
    if (watches.size >= MAX_WATCHES) watches.clear();
    watches.set(watch, now());
    return true;
  }
}

/** Segment by segment, because a long view does not fit into memory as a whole. */
async function* writeEvents(
  first: IteratorResult<string>,
  others: AsyncGenerator<string>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"events":[${first.done ? '' : first.value}`);
  for await (const events of others) yield Buffer.from(`,${events}`);
  yield Buffer.from(']}');
}

function readQuery(c: OperatorContext): {
  readonly filter: SessionFilter;
  readonly after: string | undefined;
} {
  const { success, output, issues } = v.safeParse(querySchema, c.req.query());
  if (success) {
    const { after, ...filter } = output;
    // Valibot leaves out what the query does not have.
    return { filter: filter as SessionFilter, after };
  }
  const [{ path, message }] = issues;
  throw new HttpError(400, {
    code: 'filter-invalid',
    message: `"${String(path?.[0]?.key).slice(0, 64)}" of the query ${message}.`,
  });
}

function refuseSession(): never {
  throw new HttpError(404, { code: 'unknown-session', message: 'No session or view with this id is kept.' });
}
