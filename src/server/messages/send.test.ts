import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import { type AddressInfo, type Server, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLACEHOLDERS } from '../../contract/site/alert-settings.ts';
import { type Certificate, makeCertificate } from '../../../e2e/support/make-certificate.ts';
import type { ChannelAnswer } from '../../contract/incidents.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import { createPublicAddressTest } from '../../line/is-public-address.ts';
import { type SendDeps, createSend } from './create-send.ts';
import type { Message } from './message.ts';
import { postJson } from './reach-safely.ts';
import { sendMail } from './send-mail.ts';
import { fillTemplate } from './send-webhook.ts';

const MESSAGE: Message = {
  id: 'abc-1',
  type: 'opened',
  at: 1_800_000_000_000,
  site: 'Lumo',
  title: '[Incident] Lumo: a.example is down',
  text: 'first "line"\nsecond \\ line 不可用',
  incident: 'abc',
  kind: 'line-down',
  severity: 'high',
  subject: 'a.example',
  lines: ['a.example'],
  url: 'https://console.example/#/incidents/abc',
  affected: ['GB/AS1', 'DE/'],
  detail: 'refused',
  visitors: 3,
  startedAt: 1_799_999_990_000,
  endedAt: null,
};
const TOKEN = '123456:ABC-def';

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let dataDir: string;
let certificate: Certificate;
let http: Server;
let answer: { status: number; body: string; headers?: Record<string, string> };
const received: Received[] = [];
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-send-'));
  await mkdir(join(dataDir, 'secrets'));
  await writeFile(join(dataDir, 'secrets', 'mail'), 'pass word\n');
  certificate = await makeCertificate(['mail.localhost']);
  http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
});

afterAll(async () => {
  http.close();
  await Promise.all(closing.map((close) => close()));
  await rm(dataDir, { recursive: true });
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const urlOf = (path = '/hook') => `http://127.0.0.1:${portOf(http)}${path}`;

function send(
  channel: AlertChannel,
  { message = MESSAGE, ...more }: Partial<SendDeps> & { readonly message?: Message } = {},
): Promise<ChannelAnswer> {
  const environment: Record<string, string> = { WAYPOST_ALERT_HOOK: 's3cret', WAYPOST_ALERT_BOT: TOKEN };
  const deps = {
    dataDir,
    readVariable: (name: string) => environment[name],
    isAllowed: () => true,
    now: () => 1_000_500,
  };
  return createSend({ ...deps, ca: certificate.cert, ...more })(channel, message);
}

const lastReceived = () => received.at(-1);

describe('a webhook', () => {
  const hook = (more: object = {}) => ({ name: 'hook', kind: 'webhook' as const, url: urlOf(), ...more });

  test('gets the message as JSON, with its id, and signed together with the time', async () => {
    answer = { status: 204, body: '' };
    await send(hook({ secret: 'env:WAYPOST_ALERT_HOOK' }));
    const { headers, body = '' } = lastReceived() ?? {};
    expect(JSON.parse(body)).toEqual(MESSAGE);
    const hmac = createHmac('sha256', 's3cret').update(`1000.${body}`).digest('hex');
    expect([headers?.['waypost-event'], headers?.['waypost-signature']]).toEqual([
      'abc-1',
      `t=1000,v1=${hmac}`,
    ]);
  });

  test('may name every part of a message in its own body', () => {
    expect(PLACEHOLDERS.toSorted()).toEqual(Object.keys(MESSAGE).toSorted());
  });

  test('gets its own body, in which placeholders stay inside their texts', async () => {
    answer = { status: 200, body: 'ok' };
    await send(hook({ body: '{"text":"{{text}} {{affected}} {{unknown}}","n":1}' }));
    expect(JSON.parse(lastReceived()?.body ?? '')).toEqual({
      text: `${MESSAGE.text} GB/AS1, DE/ {{unknown}}`,
      n: 1,
    });
    expect(JSON.parse(fillTemplate('["{{endedAt}}","{{at}}"]', MESSAGE))).toEqual([
      '',
      '2027-01-15T08:00:00.000Z',
    ]);
  });

  test.each([301, 400, 500])(
    'that answers %d did not take it, and no redirect is followed',
    async (status) => {
      const before = received.length;
      answer = { status, body: '', headers: { location: urlOf('/elsewhere') } };
      await expect(send(hook())).rejects.toThrow(`127.0.0.1:${portOf(http)} answered with status ${status}`);
      expect(received.length).toBe(before + 1);
    },
  );

  test('that takes it and never ends its answer has taken it, and one that never answers is given up', async () => {
    const silent = createServer((request, response) => {
      if (request.url === '/taken') response.writeHead(200).write('{');
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${portOf(silent)}`;
    await send(hook({ url: `${url}/taken` }));
    const posted = postJson(new URL(url), '{}', { isAllowed: () => true, timeoutMs: 50 });
    await expect(posted).rejects.toThrow(`127.0.0.1:${portOf(silent)}: no answer within 0.05 s`);
    silent.closeAllConnections();
    silent.close();
  });

  test('whose secret is missing is told which one', async () => {
    await expect(send(hook({ secret: 'env:WAYPOST_ALERT_GONE' }))).rejects.toThrow(
      'the variable WAYPOST_ALERT_GONE is not set',
    );
    await expect(send(hook({ secret: 'file:gone' }))).rejects.toThrow('secrets/gone is missing or empty');
  });
});

describe('the answer to a test', () => {
  const hook = () => ({ name: 'hook', kind: 'webhook' as const, url: urlOf() });
  const message = { ...MESSAGE, type: 'test' as const };

  test('is one short line without tags, and its status', async () => {
    const tail = 'x'.repeat(5_000);
    answer = { status: 202, body: `<html><body>\n <b>queued</b>\u0007 as\t7 ${tail}` };
    expect(await send(hook(), { message })).toEqual({
      status: 202,
      words: `queued \uFFFD as 7 ${tail}`.slice(0, 160) + '…',
    });
    answer = { status: 500, body: 'no such workflow' };
    await expect(send(hook(), { message })).rejects.toMatchObject({
      answer: { status: 500, words: 'no such workflow' },
    });
  });

  test('is not read of any other message', async () => {
    answer = { status: 200, body: 'queued' };
    expect(await send(hook())).toEqual({ status: 200, words: '' });
  });

  test('repeats no secret, nor the address of a webhook that is one', async () => {
    const readVariable = () => urlOf('/services/T0/s3cret?key=1');
    const chat = { name: 'team', kind: 'slack' as const, url: 'env:WAYPOST_ALERT_TEAM' };
    answer = { status: 404, body: `cannot POST /services/T0/s3cret?key=1 at ${readVariable()}` };
    await expect(send(chat, { message, readVariable })).rejects.toMatchObject({
      answer: { status: 404, words: 'cannot POST … at …' },
    });
    answer = { status: 200, body: `taken with ${TOKEN}` };
    const telegram = { name: 'a', kind: 'telegram' as const, chat: '1', api: urlOf(''), secret: 'env:A' };
    expect(await send(telegram, { message, readVariable: () => TOKEN })).toEqual({
      status: 200,
      words: 'taken with …',
    });
  });
});

test('why a channel refuses a message repeats no secret, however the other side writes it', async () => {
  const token = 'key/with+signs-0123456789';
  const readVariable = () => urlOf(`/send?key=${encodeURIComponent(token)}`);
  const chat = { name: 'team', kind: 'wecom' as const, url: 'env:WAYPOST_ALERT_TEAM' };
  const spellings = [token, encodeURIComponent(token), String.raw`key\/with+signs-0123456789`];
  const errmsg = `${'x'.repeat(150)} ${spellings.join(' ')}`;
  for (const [status, type] of [
    [200, 'opened'],
    [500, 'test'],
  ] as const) {
    answer = { status, body: JSON.stringify({ errcode: 93_000, errmsg: errmsg.slice(150) }) };
    const error: unknown = await send(chat, { message: { ...MESSAGE, type }, readVariable }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ fault: { reason: '… … …' } });
    expect(inspect(error, { depth: 9 })).not.toContain('signs');
  }
  // Cut after its secrets are gone: the beginning of one must not stay.
  answer = { status: 200, body: JSON.stringify({ errcode: 93_000, errmsg }) };
  await expect(send(chat, { readVariable })).rejects.not.toThrow('key');
  answer = { status: 404, body: `{"description":"no bot ${TOKEN}"}` };
  const telegram = { name: 'a', kind: 'telegram' as const, chat: '1', api: urlOf(''), secret: 'env:A' };
  await expect(send(telegram, { readVariable: () => TOKEN })).rejects.toThrow('refused it: no bot …');
});

describe('Telegram', () => {
  const chat = () => ({
    name: 'night',
    kind: 'telegram' as const,
    chat: '-100123',
    api: urlOf(''),
    secret: 'env:WAYPOST_ALERT_BOT',
  });

  test('gets what its Bot API demands', async () => {
    answer = { status: 200, body: '{"ok":true}' };
    await send(chat());
    const { path, headers, body = '' } = lastReceived() ?? {};
    expect([path, headers?.['content-type']]).toEqual([
      `/bot${TOKEN}/sendMessage`,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(body)).toEqual({
      chat_id: '-100123',
      text: MESSAGE.text,
      disable_web_page_preview: true,
    });
  });

  test('says why it refuses, and the reason never holds the token', async () => {
    answer = { status: 400, body: '{"ok":false,"description":"Bad Request: chat not found"}' };
    await expect(send(chat())).rejects.toThrow('Telegram refused it: Bad Request: chat not found');
    const refused = { ...chat(), api: 'http://127.0.0.1:1' };
    const error: unknown = await send(refused).catch((reason: unknown) => reason);
    expect(String(error)).toContain('127.0.0.1:1: ECONNREFUSED');
    expect(String(error)).not.toContain('ABC');
  });
});

test.each([
  [{ kind: 'telegram', chat: '1' }, 'text', 4_096],
  [{ kind: 'pagerduty' }, 'title', 1_024],
] as const)('a message that is too long for %o is cut after a whole character', async (kind, field, most) => {
  answer = { status: 202, body: '{}' };
  const channel = { name: 'a', ...kind, api: urlOf(''), secret: 'env:A' };
  // Each has two units.
  const long = 'x'.repeat(most - 1) + '🙂🙂';
  await send(channel, { message: { ...MESSAGE, [field]: long }, readVariable: () => TOKEN });
  const { text, payload } = JSON.parse(lastReceived()?.body ?? '') as Record<string, { summary: string }>;
  expect(payload?.summary ?? text).toBe('x'.repeat(most - 1));
});

describe('mail', () => {
  type Sent = { readonly user: string; readonly isSecure: boolean; readonly text: string };

  async function startSmtp(options: object): Promise<{ port: number; mails: Sent[] }> {
    const mails: Sent[] = [];
    const server = new SMTPServer({
      key: certificate.key,
      cert: certificate.cert,
      onAuth: ({ username, password }, _session, callback) =>
        password === 'pass word' ? callback(null, { user: username }) : callback(new Error('wrong password')),
      onData: (stream, session, callback) => {
        let text = '';
        stream.on('data', (chunk) => (text += String(chunk)));
        stream.on('end', () => {
          mails.push({ user: String(session.user), isSecure: session.secure, text });
          callback();
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close(() => undefined));
    return { port: portOf(server.server), mails };
  }

  const mailTo = (server: string) => ({
    name: 'office',
    kind: 'mail' as const,
    server,
    from: 'waypost@example.com',
    to: ['ops@example.com', 'boss@example.com'],
    user: 'waypost',
    secret: 'file:mail',
  });

  test.each([
    ['with STARTTLS', 'smtp', {}],
    ['over TLS', 'smtps', { secure: true }],
  ])('is sent %s, after signing in', async (_how, scheme, options) => {
    const { port, mails } = await startSmtp(options);
    await send(mailTo(`${scheme}://mail.localhost:${port}`));
    expect(mails).toMatchObject([{ user: 'waypost', isSecure: true }]);
    const text = mails[0]?.text ?? '';
    expect(text).toContain('Subject: [Incident] Lumo: a.example is down');
    expect(text).toContain('Message-ID: <abc-1@example.com>');
    expect(text).toContain('To: ops@example.com, boss@example.com');
  });

  test('is not sent to a server without TLS, nor to one with another name', async () => {
    const plain = await startSmtp({ disabledCommands: ['STARTTLS'] });
    await expect(send(mailTo(`smtp://mail.localhost:${plain.port}`))).rejects.toThrow('mail.localhost: ');
    const other = await startSmtp({ secure: true });
    await expect(send(mailTo(`smtps://other.localhost:${other.port}`))).rejects.toThrow('other.localhost: ');
    expect([plain.mails, other.mails]).toEqual([[], []]);
  });

  test.each([
    ['its greeting', ''],
    ['an answer', '220 mail.localhost\r\n'],
  ])(
    'is given up if the server writes %s without an end, and its connection is closed',
    async (_what, first) => {
      const ended: Promise<unknown>[] = [];
      const slow = createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.write(first);
        const writing = setInterval(() => socket.write('2'), 5);
        const closed = new Promise((resolve) => void socket.once('close', resolve));
        ended.push(closed.finally(() => clearInterval(writing)));
      }).listen(0, '127.0.0.1');
      await once(slow, 'listening');
      closing.push(() => slow.close());
      const sent = sendMail(mailTo(`smtp://localhost:${portOf(slow)}`), MESSAGE, {
        secret: undefined,
        isAllowed: () => true,
        limitMs: 100,
      });
      await expect(sent).rejects.toThrow('localhost: no answer within 0.1 s');
      await Promise.all(ended);
    },
  );
});

test.each<[string, () => AlertChannel]>([
  ['an address', () => ({ name: 'a', kind: 'webhook', url: urlOf() })],
  ['a name', () => ({ name: 'a', kind: 'webhook', url: urlOf().replace('127.0.0.1', 'localhost') })],
  ['IPv6', () => ({ name: 'a', kind: 'webhook', url: 'http://[::ffff:127.0.0.1]:1/' })],
  ['the metadata of a cloud', () => ({ name: 'a', kind: 'webhook', url: 'http://169.254.169.254/' })],
  ['a private network', () => ({ name: 'a', kind: 'webhook', url: 'http://10.0.0.1/' })],
  [
    'mail',
    () => ({
      name: 'a',
      kind: 'mail',
      server: 'smtp://127.0.0.1:25',
      from: 'a@b.example',
      to: ['a@b.example'],
    }),
  ],
  [
    'Telegram',
    () => ({ name: 'a', kind: 'telegram', chat: '1', api: urlOf(''), secret: 'env:WAYPOST_ALERT_BOT' }),
  ],
])('nothing goes to this machine or a private network: %s', async (_what, makeChannel) => {
  const before = received.length;
  await expect(send(makeChannel(), { isAllowed: createPublicAddressTest() })).rejects.toThrow(
    'WAYPOST_PRIVATE_ALERTS=on allows those',
  );
  expect(received.length).toBe(before);
});
