import { createHmac } from 'node:crypto';
import type { ChannelAnswer } from '../../contract/incidents.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import type { Message } from './message.ts';
import { MessageError, isTaken, postJson } from './reach-safely.ts';

export type WebhookOptions = {
  readonly secret: string | undefined;
  readonly isAllowed: IsAllowed;
  /** Ms since 1970. */
  readonly now: number;
};

type Webhook = Extract<AlertChannel, { kind: 'webhook' }>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Posts a message to a webhook: our JSON, or the channel's own body. */
export async function sendWebhook(
  { url, body }: Webhook,
  message: Message,
  { secret, isAllowed, now }: WebhookOptions,
): Promise<ChannelAnswer> {
  const text = body === undefined ? JSON.stringify(message) : fillTemplate(body, message);
  const seconds = Math.floor(now / 1_000);
  const headers = {
    'Waypost-Event': message.id,
    ...(secret === undefined ? {} : { 'Waypost-Signature': sign(text, seconds, secret) }),
  };
  const target = new URL(url);
  const readsAnswer = message.type === 'test';
  const answer = await postJson(target, text, { isAllowed, headers, readsAnswer });
  const { status } = answer;
  if (isTaken(status)) return answer;
  throw new MessageError({ kind: 'channel-status', host: target.host, status }, { answer });
}

/** With its time, so that an old message cannot be sent again by somebody who has seen it. */
function sign(text: string, seconds: number, secret: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}

/** Puts the values of a message in the place of `{{title}}` and the like, which stand inside JSON texts. */
export function fillTemplate(template: string, message: Message): string {
  const values: Readonly<Record<string, unknown>> = {
    ...message,
    affected: message.affected.join(', '),
    lines: message.lines.join(', '),
    at: toIso(message.at),
    startedAt: toIso(message.startedAt),
    endedAt: message.endedAt === null ? '' : toIso(message.endedAt),
  };
  return template.replaceAll(PLACEHOLDER, (written, name: string) =>
    Object.hasOwn(values, name) ? JSON.stringify(String(values[name])).slice(1, -1) : written,
  );
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
