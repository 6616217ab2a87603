import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import type { ConsoleIncidents } from '../../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError, refuseAllButGet, refuseAllButPost } from '../../http/errors.ts';
import type { IncidentKeeper } from '../../incidents/keep-incidents.ts';
import type { AuditLog } from '../../people/audit-log.ts';
import type { VisitContext, VisitEnv } from '../../portal/visit.ts';
import { readAsker } from '../access/asker.ts';
import type { Access, Demand } from '../access/guard-access.ts';

export type IncidentRoutesDeps = {
  readonly incidents: Pick<IncidentKeeper, 'list' | 'take' | 'channels' | 'test'>;
  readonly access: Pick<Access, 'demand'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly now: () => number;
};

const MAX_BODY_BYTES = 1_024;
const LOOK: Demand = { role: 'viewer' };
/** Whoever looks may say that they look after it. */
const TAKE: Demand = { role: 'viewer', isChange: true };
const TEST: Demand = { role: 'editor', isChange: true };
const DONE = { ok: true } as const;
const takeSchema = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) });
const testSchema = v.strictObject({ channel: v.pipe(v.string(), v.maxLength(64)) });

/** The calls of the console about incidents, and about the channels that tell of them. */
export function addIncidentRoutes(
  app: Hono<VisitEnv>,
  { incidents, access, audit, now }: IncidentRoutesDeps,
): void {
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refuseBody() });
  app
    .get(CONSOLE_PATHS.incidents, (c) => {
      access.demand(readAsker(c), LOOK);
      return answerJson({
        at: now(),
        incidents: incidents.list(),
        channels: incidents.channels(),
      } satisfies ConsoleIncidents);
    })
    .all(refuseAllButGet);
  app
    .post(CONSOLE_PATHS.takeIncident, limit, async (c) => {
      const asker = readAsker(c);
      const { name } = access.demand(asker, TAKE);
      const { id } = await readBody(c, takeSchema);
      if (!(await incidents.take({ id, by: name }))) refuseUnknown('incident');
      audit.write({ by: name, action: 'incident-taken', to: id, prefix: asker.prefix });
      return answerJson(DONE);
    })
    .all(refuseAllButPost);
  app
    .post(CONSOLE_PATHS.testChannel, limit, async (c) => {
      const asker = readAsker(c);
      const { name } = access.demand(asker, TEST);
      const { channel } = await readBody(c, testSchema);
      if (!incidents.channels().some((each) => each.name === channel)) refuseUnknown('channel');
      audit.write({ by: name, action: 'channel-tested', to: channel, prefix: asker.prefix });
      await incidents.test(channel).catch(refuseTest);
      return answerJson(DONE);
    })
    .all(refuseAllButPost);
}

async function readBody<S extends typeof takeSchema | typeof testSchema>(
  c: VisitContext,
  schema: S,
): Promise<v.InferOutput<S>> {
  const body: unknown = await c.req.json().catch(() => refuseBody());
  const { success, output } = v.safeParse(schema, body);
  return success ? output : refuseBody();
}

function refuseBody(): never {
  throw new HttpError(400, {
    code: 'body-invalid',
    message: 'The body is not as expected: it names one incident, or one channel.',
  });
}

function refuseUnknown(what: 'incident' | 'channel'): never {
  throw new HttpError(404, {
    code: what === 'incident' ? 'unknown-incident' : 'unknown-channel',
    message:
      what === 'incident'
        ? 'No incident that is open has this id.'
        : 'No channel of site.json has this name.',
  });
}

function refuseTest(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new HttpError(502, {
    code: 'channel-failed',
    message: `The channel did not take the test: ${reason}.`,
  });
}
