import type { ChannelAnswer } from '../../contract/incidents.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import { type Message, cutUnits } from './message.ts';
import { MessageError, isTaken, parseAnswer, postJson } from './reach-safely.ts';

type Telegram = Extract<AlertChannel, { kind: 'telegram' }>;

const TOKEN = /^\d+:[\w-]+$/;
/** The limit of the Bot API. */
const MAX_TEXT_UNITS = 4_096;

/** Sends a message to a chat, through Telegram's Bot API. */
export async function sendTelegram(
  { api, chat }: Telegram,
  { text, type }: Message,
  { secret, isAllowed }: { readonly secret: string; readonly isAllowed: IsAllowed },
): Promise<ChannelAnswer> {
  if (!TOKEN.test(secret)) throw new MessageError({ kind: 'channel-secret-wrong' });
  const url = new URL(`${api.replace(/\/$/, '')}/bot${secret}/sendMessage`);
  const body = { chat_id: chat, text: cutUnits(text, MAX_TEXT_UNITS), disable_web_page_preview: true };
  const answer = await postJson(url, JSON.stringify(body), { isAllowed, readsAnswer: type === 'test' });
  const { status } = answer;
  if (isTaken(status)) return answer;
  // Telegram says why in words, such as "Bad Request: chat not found".
  const { description } = parseAnswer(answer) ?? {};
  const reason = typeof description === 'string' ? description : `status ${status}`;
  throw new MessageError({ kind: 'channel-refused', reason }, { answer });
}
