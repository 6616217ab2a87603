import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import type { AuditEntry } from '../../../contract/people.ts';
import { HttpError, refuseAllButGet, refuseAllButPost } from '../../http/errors.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { VisitContext, VisitEnv } from '../../portal/visit.ts';
import { type Asker, readAsker } from './asker.ts';
import type { Access, Actor, Demand } from './guard-access.ts';

/** A call that was let through. */
export type Call<Body = undefined> = { readonly actor: Actor; readonly asker: Asker; readonly body: Body };

type Answer = Response | Promise<Response>;
type Schema = v.GenericSchema<unknown, unknown>;

/** Adds the console's calls to the operator's listener. */
export type Calls = {
  /** Adds a call that changes nothing. */
  readonly get: (path: string, demand: Demand, answer: (call: Call, c: VisitContext) => Answer) => void;
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

export function createCalls(app: Hono<VisitEnv>, { access, audit }: CallsDeps): Calls {
  return {
    get: (path, demand, answer) => {
      app
        .get(path, (c) => {
          const asker = readAsker(c);
          return answer({ actor: access.demand(asker, demand), asker, body: undefined }, c);
        })
        .all(refuseAllButGet);
    },
    post: (path, { demand, schema }, answer) => {
      const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refuseBody('it is too long') });
      app
        .post(path, limit, async (c) => {
          const asker = readAsker(c);
          const actor = access.demand(asker, demand);
          return answer({ actor, asker, body: await readBody(c, schema) });
        })
        .all(refuseAllButPost);
    },
    note: ({ actor, asker }, entry) => audit.write({ by: actor.name, ...entry, prefix: asker.prefix }),
  };
}

async function readBody<S extends Schema>(c: VisitContext, schema: S): Promise<v.InferOutput<S>> {
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
