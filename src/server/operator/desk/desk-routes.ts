import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { REQUEST_KEY_HEADER } from '../../../contract/api/headers.ts';
import {
  type CheckEvent,
  DESK_BODIES,
  type DeskBody,
  type DeskPreview,
  type DeskState,
  type DeskUpload,
  type DeskVersion,
  MAX_DESK_BODY_BYTES,
} from '../../../contract/desk/desk.ts';
import type { AuditEntry } from '../../../contract/people.ts';
import { tellFault } from '../../../contract/faults/describe-site-fault.ts';
import { MAX_UPLOAD_BYTES } from '../../../contract/limits.ts';
import { DESK_PATHS } from '../../../contract/paths.ts';
import type { Desk } from '../../desk/create-desk.ts';
import type { DeskPerson } from '../../desk/create-draft-reader.ts';
import { type CheckDeps, checkDraft } from '../../desk/check-draft.ts';
import { DeskError } from '../../desk/desk-error.ts';
import type { IncidentKeeper } from '../../incidents/create-incident-keeper.ts';
import { answerJson, uncached } from '../../http/answer.ts';
import { refuseUnknownPath } from '../../http/errors.ts';
import { MEDIA_TYPES } from '../../http/media-types.ts';
import { readOrigin } from '../../http/read-origin.ts';
import { streamText } from '../../http/stream-text.ts';
import type { PreviewAccess } from '../../preview/open-preview.ts';
import { UncertainCommitError } from '../../store/database.ts';
import {
  type BodyLimit,
  type Call,
  type Calls,
  type CallsDeps,
  createCalls,
  refuseCall,
  DONE,
  LOOK,
} from '../access/create-calls.ts';
import type { Demand } from '../access/guard-access.ts';
import { type OperatorContext, type OperatorEnv, findListenerOrigin } from '../access/operator-request.ts';
import { parseVersionNumber } from '../../desk/create-version-store.ts';
import { createDraftChannelTester } from './test-draft-channel.ts';

export type DeskRoutesDeps = CallsDeps & {
  /** Undefined where drafts cannot be previewed. */
  readonly preview: PreviewAccess | undefined;
  /** Undefined where editing is off. */
  readonly desk: Desk | undefined;
  /** Sends a test by a channel that need not be live. */
  readonly testBy: IncidentKeeper['testBy'];
  readonly check: Omit<CheckDeps, 'findOwnerKeys' | 'work'>;
  readonly log: Pick<Logger, 'error'>;
};

/** A version that somebody makes. */
type NewVersion = {
  /** The number of the version that the person had seen. */
  readonly basedOn: number;
  readonly run: () => Promise<DeskVersion>;
  /** What the audit log says, with the number of the new version. */
  readonly describe: (number: number) => Pick<AuditEntry, 'action' | 'to' | 'detail'>;
};

/** A call, and how the audit log is told of it. */
type Noted = { readonly call: Call<unknown>; readonly note: Calls['note'] };

const CHANGE: Demand = { role: 'editor', isChange: true };
/** The server sends to an address that the person chose, with a secret of the server. */
const REACH_OUT: Demand = { role: 'owner', isChange: true };
const STREAM_HEADERS = uncached('application/x-ndjson; charset=utf-8');
const VALUES_LIMIT: BodyLimit = {
  maxBytes: MAX_DESK_BODY_BYTES,
  refusal: `This is too large: the body of this call may have ${MAX_DESK_BODY_BYTES.toLocaleString('en')} bytes.`,
};
const FILE_LIMIT: BodyLimit = {
  maxBytes: MAX_UPLOAD_BYTES,
  refusal: `This is too large: a file may have ${MAX_UPLOAD_BYTES.toLocaleString('en')} bytes.`,
};

/** The calls of the console that change the site. */
export function addDeskRoutes(app: Hono<OperatorEnv>, deps: DeskRoutesDeps): void {
  const { desk, preview } = deps;
  const calls = createCalls(app, deps);
  const { post: addPost, note } = calls;
  addReadingRoutes(calls, deps);
  const testDraftChannel = createDraftChannelTester(deps.testBy);

  post('edit', (desk, call) => changeDraft(desk, { call, note }, () => desk.edit(call.actor, call.body)));
  calls.postFile(DESK_PATHS.putFile, { demand: CHANGE, limit: FILE_LIMIT }, (call, c) => {
    const editable = requireDesk(desk);
    const { path = '', seen } = c.req.query();
    return changeDraft(editable, { call, note }, () => editable.putFile(call.actor, path, call.body, seen));
  });
  post('removeFile', (desk, call) =>
    changeDraft(desk, { call, note }, () => desk.removeFile(call.actor, call.body.path)),
  );
  post('discard', async (desk, call) => {
    await desk.discard(call.actor, call.body);
    note(call, { action: 'draft-discarded', detail: call.body.draft });
    return answerJson(DONE);
  });
  post('rebase', async (desk, { actor, body }) => {
    await desk.rebase(actor, body);
    return answerJson(DONE);
  });
  post('publish', (desk, call, c) => {
    const { actor, body } = call;
    return goLive(
      { call, note },
      {
        basedOn: body.basedOn,
        run: () => desk.publish(actor, body, nameRequest(call, c)),
        describe: (number) => ({ action: 'published', to: `version ${number}`, detail: body.why }),
      },
    );
  });
  post('restore', (desk, call, c) => {
    const { actor, body } = call;
    return goLive(
      { call, note },
      {
        basedOn: body.basedOn,
        run: () => desk.restore(actor, body, nameRequest(call, c)),
        describe: (number) => ({
          action: 'rolled-back',
          to: `version ${body.number}`,
          detail: `as version ${number}`,
        }),
      },
    );
  });
  post('check', (...asked) => answerCheck(deps, ...asked));
  post('preview', (_desk, call, c) => answerPreview(preview, call, c));

  addPost(DESK_PATHS.testChannel, { demand: REACH_OUT, schema: DESK_BODIES.testChannel }, async (call) => {
    note(call, { action: 'channel-tested', to: call.body.channel, detail: 'draft' });
    return answerJson(await testDraftChannel(requireDesk(desk), call.actor, call.body.channel));
  });

  function post<Name extends keyof typeof DESK_BODIES>(
    name: Name,
    answer: (desk: Desk, call: Call<DeskBody<Name>>, c: OperatorContext) => Promise<Response>,
  ): void {
    const needs = { demand: CHANGE, schema: DESK_BODIES[name], limit: VALUES_LIMIT };
    addPost(DESK_PATHS[name], needs, (call, c) => answer(requireDesk(desk), call, c));
  }
}

/** The calls that change nothing. */
function addReadingRoutes({ get }: Calls, deps: DeskRoutesDeps): void {
  get(DESK_PATHS.state, LOOK, async ({ actor }) => answerJson(await describeState(deps, actor)));
  get(DESK_PATHS.versions, LOOK, async () =>
    answerJson({ versions: await requireDesk(deps.desk).listVersions() }),
  );
  get(DESK_PATHS.difference, LOOK, async (_call, c) => {
    const desk = requireDesk(deps.desk);
    const [from, to] = [readNumber(c, 'from'), readNumber(c, 'to')];
    return answerJson({ changes: await desk.compare(from, to) });
  });
  get(DESK_PATHS.draft, LOOK, async ({ actor }, c) =>
    answerJson(await requireDesk(deps.desk).readDraft(actor, readChoice(c))),
  );
  get(DESK_PATHS.file, LOOK, async ({ actor }, c) => {
    const path = c.req.query('path') ?? '';
    const bytes = await requireDesk(deps.desk).readFile(actor, readChoice(c), path);
    const type = MEDIA_TYPES.get(posix.extname(path)) ?? 'application/octet-stream';
    return new Response(bytes, { headers: uncached(type) });
  });
}

function requireDesk(desk: Desk | undefined): Desk {
  if (desk !== undefined) return desk;
  throw new DeskError('editing-off', { kind: 'editing-off' });
}

async function describeState({ desk, preview }: DeskRoutesDeps, person: DeskPerson): Promise<DeskState> {
  if (desk === undefined) return { isOn: false };
  const [current, draft, folderDraft] = await Promise.all([
    desk.current(),
    desk.summarize(person, { draft: 'own' }),
    desk.summarize(person, { draft: 'folder' }),
  ]);
  const { name, role } = person;
  return {
    isOn: true,
    current,
    me: { name, role },
    draft: draft ?? null,
    folderDraft: folderDraft ?? null,
    hasPreview: preview !== undefined,
  };
}

/** Changes somebody's own draft. The audit log has when it was begun, and not each key that was typed. */
async function changeDraft(
  desk: Desk,
  { call, note }: Noted,
  job: () => Promise<void | DeskUpload>,
): Promise<Response> {
  const before = await desk.hasDraft(call.actor);
  const answer = await job();
  if (!before && (await desk.hasDraft(call.actor))) note(call, { action: 'draft-begun' });
  return answerJson(answer ?? DONE);
}

/**
 * Makes a version go live, and notes it. It is also noted if it is unknown whether it went live: the audit log must
 * say who asked for it. Its number is the one after the version that the person had seen.
 */
async function goLive({ call, note }: Noted, { basedOn, run, describe }: NewVersion): Promise<Response> {
  try {
    const version = await run();
    note(call, describe(version.number));
    return answerJson(version);
  } catch (error) {
    if (error instanceof UncertainCommitError) note(call, { ...describe(basedOn + 1), isUncertain: true });
    throw error;
  }
}

/** Tells what it finds, one JSON object on each line, until the last one says that it is done. */
async function answerCheck(
  { check, log }: Pick<DeskRoutesDeps, 'check' | 'log'>,
  desk: Desk,
  { actor, body }: Call<DeskBody<'check'>>,
  c: OperatorContext,
): Promise<Response> {
  const draft = await desk.readFiles(actor, body);
  const live = await desk.readLive();
  return streamText(c, STREAM_HEADERS, (output) => {
    const leaving = new AbortController();
    const tell = (event: CheckEvent): void => output.write(`${JSON.stringify(event)}\n`);
    const options = { draft, live, withLines: body.lines, signal: leaving.signal };
    void checkDraft(options, { ...check, findOwnerKeys: desk.findOwnerKeys, work: desk.work }, tell)
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        log.error({ err: error }, 'a draft could not be checked');
        if (error instanceof DeskError) tell(describeStop(error));
        tell({ kind: 'done', isGood: false });
      })
      .finally(output.end);
    return () => leaving.abort();
  });
}

async function answerPreview(
  preview: PreviewAccess | undefined,
  { actor, body }: Call<DeskBody<'preview'>>,
  c: OperatorContext,
): Promise<Response> {
  // A program has no page that could frame it.
  const consoleOrigin = readOrigin(c.req.header('Origin') ?? '')?.origin ?? "'none'";
  const { name: person, since } = actor;
  if (preview === undefined) return refuseUnknownPath();
  const { draft, edits, path } = body;
  const faults = await preview.prepare({ person, since, draft }, edits);
  const url = preview.makeLink(findListenerOrigin(c), { person, since, draft, consoleOrigin }, path);
  return answerJson({ url, faults: faults.map(tellFault) } satisfies DeskPreview);
}

/** A check that was stopped tells why, in the place of what it would have found. */
function describeStop({ sentences }: DeskError): CheckEvent {
  const faults = [{ code: 'not-loaded', sentences }] as const;
  return { kind: 'files', faults, warnings: [], knownWarnings: [], ownerKeys: [], lines: 0 };
}

/**
 * Names a request that must be done once, however often it is sent. The same name for another person, path or body is another
 * request. Undefined if the caller has sent no key.
 */
function nameRequest({ actor, body }: Call<object>, c: OperatorContext): string | undefined {
  const key = c.req.header(REQUEST_KEY_HEADER);
  if (key === undefined) return undefined;
  if (!/^[\w-]{1,100}$/.test(key)) {
    refuseCall(`${REQUEST_KEY_HEADER} must have 1 to 100 letters, digits, hyphens and underscores`);
  }
  return hash('sha256', JSON.stringify([actor.name, c.req.path, body, key]), 'hex');
}

function readNumber(c: OperatorContext, name: string): number {
  return (
    parseVersionNumber(c.req.query(name) ?? '') ?? refuseCall(`?${name}= must be the number of a version`)
  );
}

function readChoice(c: OperatorContext): { readonly draft: 'own' | 'folder' } {
  return { draft: c.req.query('draft') === 'folder' ? 'folder' : 'own' };
}
