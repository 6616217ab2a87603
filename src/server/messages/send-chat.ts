import { createHmac } from 'node:crypto';
import type { CHAT_KINDS, ChannelAnswer } from '../../contract/incidents.ts';
import type { IsAllowed } from '../../line/lookup-allowed.ts';
import { type Message, cutText } from './message.ts';
import { MessageError, isTaken, parseAnswer, postJson } from './reach-safely.ts';

type ChatKind = (typeof CHAT_KINDS)[number];

export type ChatOptions = {
  /** The address of the webhook. It is itself a secret. */
  readonly url: string;
  readonly secret: string | undefined;
  readonly isAllowed: IsAllowed;
  /** Ms since 1970. */
  readonly now: number;
};

type ChatRules = {
  /** Longer texts are cut. */
  readonly maxBytes: number;
  readonly createBody: (message: Pick<Message, 'text' | 'url'>) => object;
  /** True if the chat refuses messages with status 200. */
  readonly refusesWithSuccess?: boolean;
  /** Why the chat refused a message, if its answer says so. */
  readonly findRefusal?: (answer: Readonly<Record<string, unknown>>) => string | undefined;
  /** Adds a signature, if the chat knows one and a secret is set. */
  readonly sign?: (request: ChatRequest, secret: string, now: number) => ChatRequest;
};

/** The sign at the end of a text that was cut. */
const MARK_BYTES = 3;

type ChatRequest = { readonly url: URL; readonly body: object };

/** How each chat wants its messages, after its public description (docs/alerts.md has the links). */
const CHATS: Readonly<Record<ChatKind, ChatRules>> = {
  slack: {
    maxBytes: 4_000,
    // Slack obeys `<…>` and `&…;` in a text, wherever it comes from.
    createBody: ({ text }) => ({ text: escapeForSlack(text), unfurl_links: false, unfurl_media: false }),
  },
  discord: {
    maxBytes: 2_000,
    createBody: ({ text }) => ({ content: text, allowed_mentions: { parse: [] } }),
    findRefusal: ({ message }) => readText(message),
  },
  teams: {
    maxBytes: 20_000,
    createBody: createCard,
  },
  feishu: {
    maxBytes: 20_000,
    createBody: ({ text }) => ({ msg_type: 'text', content: { text } }),
    refusesWithSuccess: true,
    findRefusal: ({ code, msg }) => (code === 0 ? undefined : readText(msg)),
    sign: ({ url, body }, secret, now) => {
      const timestamp = String(Math.floor(now / 1_000));
      const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64');
      return { url, body: { timestamp, sign, ...body } };
    },
  },
  dingtalk: {
    maxBytes: 20_000,
    createBody: ({ text }) => ({ msgtype: 'text', text: { content: text }, at: { isAtAll: false } }),
    refusesWithSuccess: true,
    findRefusal: findErrcode,
    sign: ({ url, body }, secret, now) => {
      const signed = new URL(url);
      signed.searchParams.set('timestamp', String(now));
      signed.searchParams.set(
        'sign',
        createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64'),
      );
      return { url: signed, body };
    },
  },
  wecom: {
    maxBytes: 2_048,
    createBody: ({ text }) => ({ msgtype: 'text', text: { content: text } }),
    refusesWithSuccess: true,
    findRefusal: findErrcode,
  },
};

/** Posts a message to the webhook of a chat. */
export async function sendChat(
  kind: ChatKind,
  message: Message,
  { url, secret, isAllowed, now }: ChatOptions,
): Promise<ChannelAnswer> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new MessageError({ kind: 'channel-url-wrong' });
  const { maxBytes, createBody, refusesWithSuccess = false, findRefusal, sign } = CHATS[kind];
  const unsigned = {
    url: new URL(url),
    body: createBody({ ...message, text: cutText(message.text, maxBytes - MARK_BYTES) }),
  };
  const request = secret === undefined || sign === undefined ? unsigned : sign(unsigned, secret, now);
  const answer = await postJson(request.url, JSON.stringify(request.body), {
    isAllowed,
    readsAnswer: refusesWithSuccess || message.type === 'test',
  });
  if (isTaken(answer.status) && !refusesWithSuccess) return answer;
  const status = `status ${answer.status}`;
  const refusal = findRefusal?.(parseAnswer(answer) ?? { message: status, msg: status, errmsg: status });
  if (isTaken(answer.status) && refusal === undefined) return answer;
  const { host } = request.url;
  throw new MessageError(
    refusal === undefined
      ? { kind: 'channel-status', host, status: answer.status }
      : { kind: 'channel-refused', host, reason: refusal },
    { answer },
  );
}

/** An adaptive card: Teams joins the lines of one block, so each line is a block of its own. */
function createCard({ text, url }: Pick<Message, 'text' | 'url'>): object {
  const [title = '', ...lines] = text.split('\n').filter((line) => line !== url);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: title, wrap: true, weight: 'Bolder' },
      ...lines.map((line) => ({ type: 'TextBlock', text: line, wrap: true, spacing: 'Small' })),
    ],
    ...(url !== '' && { actions: [{ type: 'Action.OpenUrl', title: 'Waypost', url }] }),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}

function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function findErrcode({ errcode, errmsg }: Readonly<Record<string, unknown>>): string | undefined {
  return errcode === 0 ? undefined : readText(errmsg);
}

function readText(text: unknown): string {
  return typeof text === 'string' && text !== '' ? text : 'unknown answer';
}
