import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import * as v from 'valibot';
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
import type { DeskCode } from '../../../contract/error-codes.ts';
import { MAX_UPLOAD_BYTES } from '../../../contract/limits.ts';
import { DESK_PATHS } from '../../../contract/paths.ts';
import { describeIssues } from '../../../contract/site/describe-issues.ts';
import type { Desk } from '../../desk/create-desk.ts';
import type { DeskPerson } from '../../desk/create-drafts.ts';
import { type CheckDeps, checkDraft } from '../../desk/check-draft.ts';
import { DeskError } from '../../desk/desk-error.ts';
import { answerJson } from '../../http/answer.ts';
import { readOrigin } from '../../http/read-origin.ts';
import { HttpError, refuseAllButGet, refuseAllButPost, refuseUnknownPath } from '../../http/errors.ts';
import { MEDIA_TYPES } from '../../http/media-types.ts';
import { DATA_HEADERS } from '../../http/security-headers.ts';
import { streamText } from '../../http/stream-text.ts';
import type { PreviewAccess } from '../../preview/open-preview.ts';
import { type OperatorContext, type OperatorEnv, findListenerOrigin } from '../access/operator-request.ts';
import { findJsonShapeFault } from '../../site/read-json.ts';
import { UncertainCommitError } from '../../store/database.ts';
import type { Demand } from '../access/guard-access.ts';

export type DeskRoutesDeps = {
  /** Undefined where drafts cannot be previewed. */
  readonly preview: PreviewAccess | undefined;
  /** Undefined where editing is off. */
  readonly desk: Desk | undefined;
  readonly check: Omit<CheckDeps, 'findOwnerKeys' | 'work'>;
  /** Finds out who calls. Throws if they may not do what the route demands. */
  readonly demand: (c: OperatorContext, demand: Demand) => DeskPerson;
  /** Notes in the audit log who did what. */
  readonly note: (c: OperatorContext, entry: DeskNote) => void;
  readonly log: Pick<Logger, 'error'>;
};

type DeskNote = Pick<AuditEntry, 'by' | 'action' | 'to' | 'detail' | 'isUncertain'>;

type Call = { readonly c: OperatorContext; readonly desk: Desk; readonly person: DeskPerson };

/** A version that somebody makes. */
type NewVersion = {
  /** The number of the version that the person had seen. */
  readonly basedOn: number;
  readonly run: () => Promise<DeskVersion>;
  /** What the audit log says, with the number of the new version. */
  readonly describe: (number: number) => Pick<DeskNote, 'action' | 'to' | 'detail'>;
};

const LOOK: Demand = { role: 'viewer' };
const CHANGE: Demand = { role: 'editor', isChange: true };
const DONE = { ok: true };
const STREAM_HEADERS = {
  ...DATA_HEADERS,
  'Content-Type': 'application/x-ndjson; charset=utf-8',
  'Cache-Control': 'no-store',
};
/** A file is sent as base64, in which three bytes take four characters. */
const MAX_FILE_BODY_BYTES = Math.ceil((MAX_UPLOAD_BYTES * 4) / 3) + 1_000;

const STATUSES: Readonly<Record<DeskCode, ContentfulStatusCode>> = {
  'editing-off': 409,
  'body-too-large': 413,
  'edit-refused': 422,
  'file-refused': 422,
  'owner-required': 403,
  'unknown-version': 404,
  'unknown-file': 404,
  'nothing-changed': 409,
  'version-conflict': 409,
  'draft-conflict': 409,
  'draft-changed': 409,
  'draft-full': 409,
  'draft-invalid': 422,
  'took-too-long': 422,
  'desk-busy': 503,
  'version-damaged': 503,
};

/** The calls of the console that change the site. */
export function addDeskRoutes(
  app: Hono<OperatorEnv>,
  { desk: opened, preview, check, demand, note, log }: DeskRoutesDeps,
): void {
  app
    .get(DESK_PATHS.state, async (c) => {
      const person = demand(c, LOOK);
      return answerJson(await describeState(person));
    })
    .all(refuseAllButGet);
  get(DESK_PATHS.versions, async ({ desk }) => answerJson({ versions: await desk.listVersions() }));
  get(DESK_PATHS.difference, async ({ c, desk }) => {
    const [from, to] = [readNumber(c, 'from'), readNumber(c, 'to')];
    return answerJson({ changes: await desk.compare(from, to) });
  });
  get(DESK_PATHS.draft, async ({ c, desk, person }) =>
    answerJson(await desk.readDraft(person, readChoice(c))),
  );
  get(DESK_PATHS.file, async ({ c, desk, person }) => {
    const path = c.req.query('path') ?? '';
    const bytes = await desk.readFile(person, readChoice(c), path);
    const type = MEDIA_TYPES.get(posix.extname(path)) ?? 'application/octet-stream';
    return new Response(bytes, {
      headers: { ...DATA_HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store' },
    });
  });
  post('edit', (call, body) => change(call, () => call.desk.edit(call.person, body)));
  post('putFile', (call, { path, content }) =>
    change(call, () => call.desk.putFile(call.person, path, Buffer.from(content, 'base64'))),
  );
  post('removeFile', (call, { path }) => change(call, () => call.desk.removeFile(call.person, path)));
  post('discard', async ({ c, desk, person }, body) => {
    await desk.discard(person, body);
    note(c, { by: person.name, action: 'draft-discarded', detail: body.draft });
    return answerJson(DONE);
  });
  post('rebase', async ({ desk, person }, body) => {
    await desk.rebase(person, body);
    return answerJson(DONE);
  });
  post('publish', (call, body) =>
    goLive(call, {
      basedOn: body.basedOn,
      run: () => call.desk.publish(call.person, body, nameRequest(call, body)),
      describe: (number) => ({ action: 'published', to: `version ${number}`, detail: body.why }),
    }),
  );
  post('restore', (call, body) =>
    goLive(call, {
      basedOn: body.basedOn,
      run: () => call.desk.restore(call.person, body, nameRequest(call, body)),
      describe: (number) => ({
        action: 'rolled-back',
        to: `version ${body.number}`,
        detail: `as version ${number}`,
      }),
    }),
  );
  post('check', answerCheck);
  post('preview', async ({ c, person }, { draft }) => {
    // A program has no page that could frame it.
    const consoleOrigin = readOrigin(c.req.header('Origin') ?? '')?.origin ?? "'none'";
    const url = preview?.makeLink(findListenerOrigin(c), {
      person: person.name,
      since: person.since,
      draft,
      consoleOrigin,
    });
    return answerJson({ url: url ?? refuseUnknownPath() } satisfies DeskPreview);
  });

  async function describeState(person: DeskPerson): Promise<DeskState> {
    if (opened === undefined) return { isOn: false };
    const [current, draft, folderDraft] = await Promise.all([
      opened.current(),
      opened.summarize(person, { draft: 'own' }),
      opened.summarize(person, { draft: 'folder' }),
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
  async function change({ c, desk, person }: Call, job: () => Promise<void | DeskUpload>): Promise<Response> {
    const before = await desk.hasDraft(person);
    const answer = await job();
    if (!before && (await desk.hasDraft(person))) note(c, { by: person.name, action: 'draft-begun' });
    return answerJson(answer ?? DONE);
  }

  /**
   * Makes a version go live, and notes it. One of which nobody knows whether it went live is noted, too: the audit log must
   * say who asked for it. Its number is the one after the version that the person had seen.
   */
  async function goLive({ c, person }: Call, { basedOn, run, describe }: NewVersion): Promise<Response> {
    try {
      const version = await run();
      note(c, { by: person.name, ...describe(version.number) });
      return answerJson(version);
    } catch (error) {
      if (error instanceof UncertainCommitError) {
        note(c, { by: person.name, ...describe(basedOn + 1), isUncertain: true });
      }
      throw error;
    }
  }

  /** Tells what it finds, one JSON object on each line, until the last one says that it is done. */
  async function answerCheck({ c, desk, person }: Call, body: DeskBody<'check'>): Promise<Response> {
    const draft = await desk.readFiles(person, body);
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

  function get(path: string, answer: (call: Call) => Promise<Response>): void {
    app.get(path, (c) => handle(c, LOOK, answer)).all(refuseAllButGet);
  }

  function post<Name extends keyof typeof DESK_BODIES>(
    name: Name,
    answer: (call: Call, body: DeskBody<Name>) => Promise<Response>,
  ): void {
    const maxSize = name === 'putFile' ? MAX_FILE_BODY_BYTES : MAX_DESK_BODY_BYTES;
    app
      .post(
        DESK_PATHS[name],
        // Before the body is read, so that a stranger cannot make the server read it.
        (c, next) => {
          demand(c, CHANGE);
          return next();
        },
        bodyLimit({ maxSize, onError: () => refuseBody(maxSize) }),
        async (c) => {
          const body = await readBody(c, name);
          // Whoever calls is asked for again: a session may have ended while a slow body came.
          return handle(c, CHANGE, (call) => answer(call, body));
        },
      )
      .all(refuseAllButPost);
  }

  async function handle(
    c: OperatorContext,
    needed: Demand,
    answer: (call: Call) => Promise<Response>,
  ): Promise<Response> {
    const person = demand(c, needed);
    try {
      if (opened === undefined) {
        throw new DeskError(
          'editing-off',
          'Editing is off: start the portal with --edit or WAYPOST_EDIT=on.',
        );
      }
      return await answer({ c, desk: opened, person });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const { code, message, details } = error;
      throw new HttpError(STATUSES[code], { code, message, details });
    }
  }
}

/** A check that was stopped tells why, in the place of what it would have found. */
function describeStop({ message }: DeskError): CheckEvent {
  const faults = [{ code: 'not-loaded', message }] as const;
  return { kind: 'files', faults, warnings: [], knownWarnings: [], ownerKeys: [], lines: 0 };
}

function refuseBody(maxSize: number): never {
  const { code, message } = new DeskError(
    'body-too-large',
    `This is too large: a file may have ${MAX_UPLOAD_BYTES.toLocaleString('en')} bytes, and the body of this call ${maxSize.toLocaleString('en')}.`,
  );
  throw new HttpError(413, { code, message });
}

/** Reads the body of a call, and says what is wrong with it. */
async function readBody<Name extends keyof typeof DESK_BODIES>(
  c: OperatorContext,
  name: Name,
): Promise<DeskBody<Name>> {
  const schema = DESK_BODIES[name];
  const { success, output, issues = [] } = v.safeParse(schema, parseJson(await c.req.text()));
  if (success) return output;
  const [fault] = describeIssues(schema, issues);
  return refuseInvalid(fault?.message ?? 'the body is not what this call takes');
}

function parseJson(text: string): unknown {
  const fault = findJsonShapeFault(text);
  if (fault !== undefined) refuseInvalid(fault);
  try {
    return JSON.parse(text);
  } catch {
    return refuseInvalid('the body is no JSON');
  }
}

function refuseInvalid(message: string): never {
  throw new HttpError(400, { code: 'body-invalid', message: `This call cannot be read: ${message}.` });
}

/**
 * Names a request that must be done once, however often it is sent. The same name for another person, path or body is another
 * request. Undefined if the caller has sent no key.
 */
function nameRequest({ c, person }: Call, body: object): string | undefined {
  const key = c.req.header(REQUEST_KEY_HEADER);
  if (key === undefined) return undefined;
  if (!/^[\w-]{1,100}$/.test(key)) {
    refuseInvalid(`${REQUEST_KEY_HEADER} must have 1 to 100 letters, digits, hyphens and underscores`);
  }
  return createHash('sha256')
    .update(JSON.stringify([person.name, c.req.path, body, key]))
    .digest('hex');
}

function readNumber(c: OperatorContext, name: string): number {
  const text = c.req.query(name) ?? '';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  return refuseInvalid(`?${name}= must be the number of a version`);
}

function readChoice(c: OperatorContext): { readonly draft: 'own' | 'folder' } {
  return { draft: c.req.query('draft') === 'folder' ? 'folder' : 'own' };
}
