import type { ChannelAnswer, Severity } from '../../contract/incidents.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import { type Message, cutUnits } from './message.ts';
import { MessageError, isTaken, parseAnswer, postJson } from './reach-safely.ts';

type PagerDuty = Extract<AlertChannel, { kind: 'pagerduty' }>;

const MAX_SUMMARY_UNITS = 1_024;
const SEVERITIES: Readonly<Record<Severity, string>> = {
  low: 'info',
  medium: 'warning',
  high: 'error',
  critical: 'critical',
};

/** Sends an event to PagerDuty (Events API v2). All messages about an incident are one alert there, and its end resolves it. */
export async function sendPagerDuty(
  { api }: PagerDuty,
  message: Message,
  { secret, isAllowed }: { readonly secret: string; readonly isAllowed: IsAllowed },
): Promise<ChannelAnswer> {
  const url = new URL('/v2/enqueue', api);
  const body = {
    routing_key: secret,
    event_action: message.type === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: message.incident,
    ...(message.type !== 'resolved' && { payload: createPayload(message) }),
    client: 'Waypost',
    ...(message.url !== '' && {
      client_url: message.url,
      links: [{ href: message.url, text: 'Waypost' }],
    }),
  };
  const readsAnswer = message.type === 'test';
  const answer = await postJson(url, JSON.stringify(body), { isAllowed, readsAnswer });
  const { status } = answer;
  if (isTaken(status)) return answer;
  const reason = readReasons(parseAnswer(answer)) ?? `status ${status}`;
  throw new MessageError({ kind: 'channel-refused', host: url.host, reason }, { answer });
}

function createPayload({ title, text, site, severity, subject, kind, startedAt, visitors }: Message): object {
  return {
    summary: cutUnits(title, MAX_SUMMARY_UNITS),
    source: subject || site,
    severity: SEVERITIES[severity],
    timestamp: new Date(startedAt).toISOString(),
    component: subject || site,
    group: site,
    class: kind,
    custom_details: { text, visitors },
  };
}

/** PagerDuty says why as a list, such as `["'payload.summary' is missing"]`. */
function readReasons({ errors, message }: ReturnType<typeof parseAnswer> = {}): string | undefined {
  const reasons = Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : message;
  return typeof reasons === 'string' ? reasons : undefined;
}
