import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import type { AuditEntry } from '../../../contract/people.ts';
import { HttpError, refuseAllButGet, refuseAllButPost } from '../../http/errors.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { OperatorContext, OperatorEnv, OperatorRequest } from './operator-request.ts';
import type { Access, Actor, Demand } from './guard-access.ts';

/** A call that was let through. */
export type Call<Body = undefined> = {
  readonly actor: Actor;
  readonly request: OperatorRequest;
  readonly body: Body;
};

type Answer = Response | Promise<Response>;
type Schema = v.GenericSchema<unknown, unknown>;

/** Adds the console's calls to the operator's listener. */
export type Calls = {
  /** Adds a call that changes nothing. */
  readonly get: (path: string, demand: Demand, answer: (call: Call, c: OperatorContext) => Answer) => void;
  /** Adds a call with a body of JSON. */
  readonly post: <S extends Schema>(
    path: string,
    needs: { readonly demand: Demand; readonly schema: S },
    answer: (call: Call<v.InferOutput<S>>) => Answer,
  ) => void;
  /** Notes in the audit log who did what. */
  readonly note: (
    call: Call<unknown>,
    entry: Pick<AuditEntry, 'action' | 'to' | 'detail' | 'isUncertain'>,
  ) => void;
};

export type CallsDeps = {
  readonly access: Pick<Access, 'demand'>;
  readonly audit: Pick<AuditLog, 'write'>;
};

const MAX_BODY_BYTES = 8_192;

export function createCalls(app: Hono<OperatorEnv>, { access, audit }: CallsDeps): Calls {
  return {
    get: (path, demand, answer) => {
      app
        .get(path, (c) => {
          const request = c.get('request');
          return answer({ actor: access.demand(request, demand), request, body: undefined }, c);
        })
        .all(refuseAllButGet);
    },
    post: (path, { demand, schema }, answer) => {
      const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refuseBody('it is too long') });
      app
        .post(path, limit, async (c) => {
          const request = c.get('request');
          const actor = access.demand(request, demand);
          return answer({ actor, request, body: await readBody(c, schema) });
        })
        .all(refuseAllButPost);
    },
    note: ({ actor, request }, entry) => audit.write({ by: actor.name, ...entry, prefix: request.prefix }),
  };
}

async function readBody<S extends Schema>(c: OperatorContext, schema: S): Promise<v.InferOutput<S>> {
  const body: unknown = await c.req.json().catch(() => refuseBody('it is not JSON'));
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const [issue] = issues ?? [];
  const place = issue && v.getDotPath(issue);
  refuseBody(`${place ? `${place}: ` : ''}${issue?.message ?? 'it is of another form'}`);
}

function refuseBody(reason: string): never {
  throw new HttpError(400, { code: 'body-invalid', message: `The body is not as expected: ${reason}.` });
}
