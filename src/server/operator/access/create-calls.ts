import type { Hono } from 'hono';
import * as v from 'valibot';
import type { AuditEntry } from '../../../contract/people.ts';
import { describeFact, describeSiteFault } from '../../../contract/faults/describe-site-fault.ts';
import { findJsonFaults } from '../../../contract/site/find-json-faults.ts';
import { HttpError, refuseAllButGet, refuseAllButPost } from '../../http/errors.ts';
import { limitBody } from '../../http/limit-body.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import { findJsonShapeFault } from '../../site/read-json.ts';
import type { Access, Actor, Demand } from './guard-access.ts';
import { paceBodies } from './pace-bodies.ts';
import type { OperatorContext, OperatorEnv, OperatorRequest } from './operator-request.ts';

/** A call that was let through. */
export type Call<Body = undefined> = {
  readonly actor: Actor;
  readonly request: OperatorRequest;
  readonly body: Body;
};

/** For calls that change nothing. */
export const LOOK: Demand = { role: 'viewer' };
/** The answer to a call that has nothing else to say. */
export const DONE = { ok: true } as const;

type Answer = Response | Promise<Response>;
type Schema = v.GenericSchema<unknown, unknown>;

/** Adds the console's calls to the operator's listener. */
export type Calls = {
  /** Adds a call that changes nothing. */
  readonly get: (path: string, demand: Demand, answer: (call: Call, c: OperatorContext) => Answer) => void;
  /** Adds a call with a body of JSON. */
  readonly post: <S extends Schema>(
    path: string,
    needs: { readonly demand: Demand; readonly schema: S; readonly limit?: BodyLimit },
    answer: (call: Call<v.InferOutput<S>>, c: OperatorContext) => Answer,
  ) => void;
  /** Adds a call whose body is a file. */
  readonly postFile: (
    path: string,
    needs: { readonly demand: Demand; readonly limit: BodyLimit },
    answer: (call: Call<Buffer>, c: OperatorContext) => Answer,
  ) => void;
  /** Notes in the audit log who did what. */
  readonly note: (
    call: Call<unknown>,
    entry: Pick<AuditEntry, 'action' | 'to' | 'detail' | 'isUncertain'>,
  ) => void;
};

/** How large the body of a call may be, and a whole sentence for one that is larger. */
export type BodyLimit = { readonly maxBytes: number; readonly refusal: string };

type PostNeeds<Body> = {
  readonly demand: Demand;
  readonly limit: BodyLimit;
  readonly read: (c: OperatorContext) => Promise<Body>;
};

export type CallsDeps = {
  readonly access: Pick<Access, 'demand'>;
  readonly audit: Pick<AuditLog, 'write'>;
};

const SMALL: BodyLimit = { maxBytes: 8_192, refusal: 'The body of this call may have 8,192 bytes.' };

export function createCalls(app: Hono<OperatorEnv>, { access, audit }: CallsDeps): Calls {
  const pace = paceBodies(refuseBusy);
  return {
    get: (path, demand, answer) => {
      app.get(path, (c) => answer(letThrough(c, demand, undefined), c)).all(refuseAllButGet);
    },
    post: (path, { demand, schema, limit = SMALL }, answer) =>
      addPost(path, { demand, limit, read: (c) => readJsonBody(c, schema) }, answer),
    postFile: (path, { demand, limit }, answer) => {
      const needs = { demand: { ...demand, bodyType: 'application/octet-stream' }, limit } as const;
      addPost(path, { ...needs, read: readBytes }, answer);
    },
    note: ({ actor, request }, entry) => audit.write({ by: actor.name, ...entry, prefix: request.prefix }),
  };

  function addPost<Body>(
    path: string,
    { demand, limit: { maxBytes, refusal }, read }: PostNeeds<Body>,
    answer: (call: Call<Body>, c: OperatorContext) => Answer,
  ): void {
    app
      .post(
        path,
        // Before the body is read, so that a stranger cannot make the server read it.
        (c, next) => {
          access.demand(c.get('request'), demand);
          return next();
        },
        limitBody(maxBytes, () => refuseSize(refusal)),
        pace(maxBytes),
        async (c) => {
          const body = await read(c);
          // Once more: a session may have ended while a slow body came.
          return answer(letThrough(c, demand, body), c);
        },
      )
      .all(refuseAllButPost);
  }

  function letThrough<Body>(c: OperatorContext, demand: Demand, body: Body): Call<Body> {
    const request = c.get('request');
    return { actor: access.demand(request, demand), request, body };
  }
}

/** Says what is wrong with a call: the end of a sentence. */
export function refuseCall(reason: string): never {
  throw new HttpError(400, { code: 'body-invalid', message: `This call cannot be read: ${reason}.` });
}

function refuseSize(message: string): never {
  throw new HttpError(413, { code: 'body-too-large', message });
}

function refuseBusy(): never {
  throw new HttpError(503, {
    code: 'desk-busy',
    message: 'Too much is being sent at once. Try again in some seconds.',
  });
}

async function readBytes(c: OperatorContext): Promise<Buffer> {
  return Buffer.from(await c.req.arrayBuffer());
}

async function readJsonBody<S extends Schema>(c: OperatorContext, schema: S): Promise<v.InferOutput<S>> {
  const { success, output, issues = [] } = v.safeParse(schema, parseJson(await c.req.text()));
  if (success) return output;
  const [fault] = findJsonFaults(schema, issues);
  if (fault === undefined) return refuseCall('the body is of another form');
  const { code, path, values } = fault;
  return refuseCall(describeSiteFault({ code, values, place: { file: 'body', path } }, 'en'));
}

function parseJson(text: string): unknown {
  const fault = findJsonShapeFault(text);
  if (fault !== undefined) refuseCall(describeFact(fault, 'en'));
  try {
    return JSON.parse(text);
  } catch {
    return refuseCall('the body is no JSON');
  }
}
