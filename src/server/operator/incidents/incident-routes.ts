import type { Hono } from 'hono';
import * as v from 'valibot';
import { describeDetail } from '../../../contract/describe-detail.ts';
import type { ConsoleIncidents } from '../../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { IncidentKeeper } from '../../incidents/create-incident-keeper.ts';
import { readChannelFault } from '../../messages/reach-safely.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import type { Access, Demand } from '../access/guard-access.ts';
import { createCalls, DONE, LOOK } from '../access/create-calls.ts';
import { answerAt } from '../moments/answer-at.ts';
import type { Past } from '../moments/describe-past.ts';
import { type IncidentFacts, describeIncident } from './describe-incident.ts';

export type IncidentRoutesDeps = IncidentFacts & {
  readonly incidents: Pick<IncidentKeeper, 'list' | 'take' | 'channels' | 'onCall' | 'test'>;
  readonly past: Pick<Past, 'incidents'>;
  readonly access: Pick<Access, 'demand'>;
  readonly audit: Pick<AuditLog, 'write'>;
  readonly now: () => number;
};

/** Every viewer may take an incident. */
const TAKE: Demand = { role: 'viewer', isChange: true };
const TEST: Demand = { role: 'editor', isChange: true };
const takeSchema = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) });
const testSchema = v.strictObject({ channel: v.pipe(v.string(), v.maxLength(64)) });

/** The calls of the console about incidents, and about the channels that tell of them. */
export function addIncidentRoutes(app: Hono<OperatorEnv>, deps: IncidentRoutesDeps): void {
  const { incidents, past, now } = deps;
  const { get, post, note } = createCalls(app, deps);
  get(CONSOLE_PATHS.incidents, LOOK, (_call, c) =>
    answerAt(c, past.incidents, () =>
      answerJson({
        at: now(),
        incidents: incidents.list().map((incident) => describeIncident(incident, deps)),
        channels: incidents.channels(),
        onCall: incidents.onCall(),
      } satisfies ConsoleIncidents),
    ),
  );
  post(CONSOLE_PATHS.takeIncident, { demand: TAKE, schema: takeSchema }, async (call) => {
    const { id } = call.body;
    if (!(await incidents.take({ id, by: call.actor.name }))) refuseUnknown('incident');
    note(call, { action: 'incident-taken', to: id });
    return answerJson(DONE);
  });
  post(CONSOLE_PATHS.testChannel, { demand: TEST, schema: testSchema }, async (call) => {
    const { channel } = call.body;
    if (!incidents.channels().some(({ name }) => name === channel)) refuseUnknown('channel');
    note(call, { action: 'channel-tested', to: channel });
    await incidents.test(channel).catch((error: unknown) => refuseTest(error));
    return answerJson(DONE);
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

/** Says why a channel did not take a test. */
export function refuseTest(error: unknown, details: object = {}): never {
  const fault = readChannelFault(error);
  throw new HttpError(502, {
    code: 'channel-failed',
    message: `The channel did not take the test: ${describeDetail(fault, 'en')}.`,
    details: { fault, ...details },
  });
}
