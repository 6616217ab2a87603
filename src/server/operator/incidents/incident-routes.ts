import type { Hono } from 'hono';
import * as v from 'valibot';
import type { LineStatus } from '../../../contract/console.ts';
import { adviseOn, describeShared } from '../../../contract/describe-advice.ts';
import { describeDetail } from '../../../contract/describe-detail.ts';
import type { ConsoleIncident, ConsoleIncidents, Incident } from '../../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { IncidentKeeper } from '../../incidents/create-incident-keeper.ts';
import { readChannelFault } from '../../messages/reach-safely.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import type { Access, Demand } from '../access/guard-access.ts';
import { createCalls, DONE, LOOK } from '../access/create-calls.ts';

export type IncidentRoutesDeps = {
  readonly incidents: Pick<IncidentKeeper, 'list' | 'take' | 'channels' | 'onCall' | 'test'>;
  readonly isSilenced: (incident: Incident) => boolean;
  /** The state of a line now. */
  readonly findStatus: (lineId: string) => LineStatus;
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
  const { incidents, isSilenced, findStatus, now } = deps;
  const { get, post, note } = createCalls(app, deps);
  const describe = (incident: Incident): ConsoleIncident => ({
    ...incident,
    isSilenced: isSilenced(incident),
    easedTo: findEasing(incident, findStatus),
    words: {
      shared: { en: describeShared(incident, 'en'), 'zh-CN': describeShared(incident, 'zh-CN') },
      next: { en: adviseOn(incident, 'en').next, 'zh-CN': adviseOn(incident, 'zh-CN').next },
    },
  });

  get(CONSOLE_PATHS.incidents, LOOK, () =>
    answerJson({
      at: now(),
      incidents: incidents.list().map(describe),
      channels: incidents.channels(),
      onCall: incidents.onCall(),
    } satisfies ConsoleIncidents),
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
    await incidents.test(channel).catch(refuseTest);
    return answerJson(DONE);
  });
}

/** An incident keeps its worst name until it is closed, and that is some time after its trouble is over. */
export function findEasing(
  { kind, cause, endedAt, parts }: Pick<Incident, 'kind' | 'cause' | 'endedAt' | 'parts'>,
  findStatus: IncidentRoutesDeps['findStatus'],
): ConsoleIncident['easedTo'] {
  // Of several lines, the incident itself says which remain.
  if (endedAt !== null || parts !== undefined || !cause.startsWith('line/')) return null;
  const status = findStatus(cause.slice('line/'.length));
  if (status === 'up') return 'up';
  return status === 'degraded' && kind === 'line-down' ? 'degraded' : null;
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
  const fault = readChannelFault(error);
  throw new HttpError(502, {
    code: 'channel-failed',
    message: `The channel did not take the test: ${describeDetail(fault, 'en')}.`,
    details: { fault },
  });
}
