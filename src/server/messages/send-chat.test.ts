import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import { createSend } from './create-send.ts';
import type { Message } from './message.ts';

const NOW = 1_800_000_000_000;
const MESSAGE: Message = {
  id: 'abc-1-opened',
  type: 'opened',
  at: NOW,
  site: 'Lumo & Sons',
  title: '[Incident · high] Lumo & Sons: a.example is down',
  text: '[Incident · high] Lumo & Sons: a.example is down\nKnown: says "＜!channel＞"\nhttps://console.example/#/incidents/abc',
  url: 'https://console.example/#/incidents/abc',
  incident: 'abc',
  kind: 'line-down',
  severity: 'high',
  subject: 'a.example',
  lines: ['a.example'],
  affected: [],
  detail: 'refused',
  visitors: 3,
  startedAt: NOW,
  endedAt: null,
};
const KEY = 'R0123456789ABCDEF0123456789ABCDE';

type Body = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body: string];
type Receive = (body: Body, request: IncomingMessage, url: URL) => Answer;

const sized = (text: unknown, most: number): boolean =>
  typeof text === 'string' && text !== '' && Buffer.byteLength(text) <= most;
const errcode = (code: number, errmsg: string): Answer => [200, JSON.stringify({ errcode: code, errmsg })];

/** Each refuses what the real one would, in the way in which that one does. */
const RECEIVERS: Readonly<Record<string, Receive>> = {
  '/slack': ({ text }) => {
    if (!sized(text, 40_000)) return [400, 'no_text'];
    // A `<` that is no link, and an `&` that is no escape, are markup of somebody else.
    return /<(?!https?:)|&(?!amp;|lt;|gt;)/.test(String(text)) ? [400, 'invalid_payload'] : [200, 'ok'];
  },
  '/discord': ({ content, allowed_mentions: mentions }) => {
    const isRight = sized(content, 2_000) && JSON.stringify(mentions) === '{"parse":[]}';
    return isRight ? [204, ''] : [400, '{"code":50035,"message":"Invalid Form Body"}'];
  },
  '/teams': ({ type, attachments }) => {
    const [card] = attachments as {
      contentType: string;
      content: { type: string; version: string; body: Body[] };
    }[];
    const isCard =
      type === 'message' &&
      card?.contentType === 'application/vnd.microsoft.card.adaptive' &&
      card.content.type === 'AdaptiveCard' &&
      card.content.body.every(
        (block) => block['type'] === 'TextBlock' && !String(block['text']).includes('\n'),
      );
    return isCard ? [202, ''] : [400, ''];
  },
  '/feishu': ({ timestamp, sign, msg_type: type, content }) => {
    const key = `${String(timestamp)}\nf-secret`;
    if (sign !== createHmac('sha256', key).digest('base64'))
      return [
        200,
        '{"code":19021,"msg":"sign match fail or timestamp is not within one hour from current time"}',
      ];
    const isRight = type === 'text' && sized((content as Body)['text'], 20_000);
    return [200, isRight ? '{"code":0,"msg":"success"}' : '{"code":9499,"msg":"Bad Request"}'];
  },
  '/dingtalk': ({ msgtype, text }, _request, url) => {
    const timestamp = url.searchParams.get('timestamp') ?? '';
    const sign = createHmac('sha256', 'd-secret').update(`${timestamp}\nd-secret`).digest('base64');
    if (url.searchParams.get('sign') !== sign) return errcode(310_000, 'sign not match');
    if (url.searchParams.get('access_token') !== 't') return errcode(300_001, 'token is not exist');
    const isRight = msgtype === 'text' && sized((text as Body)['content'], 20_000);
    return isRight ? errcode(0, 'ok') : errcode(40_035, 'invalid parameter');
  },
  '/wecom': ({ msgtype, text }) => {
    const isRight = msgtype === 'text' && sized((text as Body)['content'], 2_048);
    return isRight ? errcode(0, 'ok') : errcode(40_058, 'text exceed max length 2048');
  },
  '/v2/enqueue': (body) => {
    const { routing_key: key, event_action: action, dedup_key: dedup, payload } = body;
    if (key !== KEY) return [400, '{"status":"invalid event","errors":["Invalid routing key"]}'];
    const { summary, source, severity } = (payload ?? {}) as Body;
    const isWhole =
      sized(summary, 4 * 1_024) &&
      sized(source, 1_024) &&
      ['critical', 'error', 'warning', 'info'].includes(String(severity));
    const isRight = action === 'resolve' ? sized(dedup, 255) : action === 'trigger' && isWhole;
    return isRight
      ? [202, '{"status":"success"}']
      : [400, `{"status":"invalid event","errors":["'payload.summary' is missing or blank"]}`];
  },
};

let http: Server;
const received: Body[] = [];

beforeAll(async () => {
  http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://a');
      const isJson =
        request.method === 'POST' && request.headers['content-type']?.startsWith('application/json');
      const body = JSON.parse(text) as Body;
      received.push(body);
      const [status, answer] = (isJson && RECEIVERS[url.pathname]?.(body, request, url)) || [
        404,
        'no_service',
      ];
      response.writeHead(status).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
});

afterAll(() => void http.close());

const origin = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

function send(channel: AlertChannel, message: Partial<Message> = {}, variables: Record<string, string> = {}) {
  const known: Record<string, string> = {
    WAYPOST_ALERT_SLACK: `${origin()}/slack`,
    WAYPOST_ALERT_DISCORD: `${origin()}/discord`,
    WAYPOST_ALERT_TEAMS: `${origin()}/teams`,
    WAYPOST_ALERT_FEISHU: `${origin()}/feishu`,
    WAYPOST_ALERT_DINGTALK: `${origin()}/dingtalk?access_token=t`,
    WAYPOST_ALERT_WECOM: `${origin()}/wecom`,
    WAYPOST_ALERT_F_SECRET: 'f-secret',
    WAYPOST_ALERT_D_SECRET: 'd-secret',
    WAYPOST_ALERT_PAGER: KEY,
    ...variables,
  };
  const deps = {
    dataDir: '',
    readVariable: (name: string) => known[name],
    isAllowed: () => true,
    now: () => NOW,
  };
  return createSend(deps)(channel, { ...MESSAGE, ...message });
}

const CHATS = [
  { name: 'a', kind: 'slack', url: 'env:WAYPOST_ALERT_SLACK' },
  { name: 'a', kind: 'discord', url: 'env:WAYPOST_ALERT_DISCORD' },
  { name: 'a', kind: 'teams', url: 'env:WAYPOST_ALERT_TEAMS' },
  { name: 'a', kind: 'feishu', url: 'env:WAYPOST_ALERT_FEISHU', secret: 'env:WAYPOST_ALERT_F_SECRET' },
  { name: 'a', kind: 'dingtalk', url: 'env:WAYPOST_ALERT_DINGTALK', secret: 'env:WAYPOST_ALERT_D_SECRET' },
  { name: 'a', kind: 'wecom', url: 'env:WAYPOST_ALERT_WECOM' },
] as const;

describe.each(CHATS)('$kind', (channel) => {
  test('takes a message, also a long one in Chinese', async () => {
    expect((await send(channel)).status).toBeLessThan(300);
    const text = `${MESSAGE.text}\n${'线'.repeat(9_000)}`;
    expect((await send(channel, { text })).status).toBeLessThan(300);
  });

  test('is asked at the address in its secret, and the fault never holds it', async () => {
    const name = channel.url.slice('env:'.length);
    await expect(send(channel, {}, { [name]: 'hooks.example/abc' })).rejects.toThrow(
      'not the address of a webhook',
    );
    const failure = send(channel, {}, { [name]: `${origin()}/gone-SECRET` });
    await expect(failure).rejects.toThrow(
      /127\.0\.0\.1:\d+ (?:answered with status 404|refused it: status 404)/,
    );
    await expect(failure).rejects.not.toThrow('SECRET');
  });
});

test.each([
  ['feishu', 'sign match fail'],
  ['dingtalk', 'sign not match'],
] as const)('%s says with status 200 that it refuses a message, and why', async (kind, reason) => {
  const channel = CHATS.find((chat) => chat.kind === kind);
  const wrong = { WAYPOST_ALERT_F_SECRET: 'x', WAYPOST_ALERT_D_SECRET: 'x' };
  await expect(channel && send(channel, {}, wrong)).rejects.toThrow(`refused it: ${reason}`);
});

describe('PagerDuty', () => {
  const pager = () => ({
    name: 'p',
    kind: 'pagerduty' as const,
    secret: 'env:WAYPOST_ALERT_PAGER',
    api: origin(),
  });

  test('gets one alert for each incident, with a link, and its end resolves it', async () => {
    await send(pager(), { severity: 'critical' });
    expect(received.at(-1)).toMatchObject({
      event_action: 'trigger',
      dedup_key: 'abc',
      payload: { severity: 'critical', summary: MESSAGE.title, class: 'line-down' },
      links: [{ href: MESSAGE.url }],
    });
    await send(pager(), { type: 'resolved', endedAt: NOW });
    expect(received.at(-1)).toMatchObject({ event_action: 'resolve', dedup_key: 'abc' });
  });

  test('says why it refuses one', async () => {
    await expect(send(pager(), {}, { WAYPOST_ALERT_PAGER: 'short' })).rejects.toThrow('Invalid routing key');
  });
});
