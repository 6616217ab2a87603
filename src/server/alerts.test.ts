import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Certificate, makeCertificate } from '../../e2e/support/make-certificate.ts';
import type { ConsoleIncidents } from '../contract/incidents.ts';
import { DEFAULT_MARKER_HEADER } from '../contract/api/headers.ts';
import type { AskLine } from './lines/create-line-asker.ts';
import type { RunningServer } from './main.ts';
import { LOOPBACK, startTestServer } from './testing/start-test-server.ts';
import { createSiteFiles } from './testing/site-files.ts';
import { type TestPostgres, startPostgres } from './testing/start-postgres.ts';
import { PATIENCE } from './testing/patience.ts';

const TOKEN = '123456:ABC-def';
const MARKER = 'waypost-demo';

/** Hosts that answer nothing, for both portals. */
const dead = new Set<string>();
/** What came in: how, which type, and the id. */
const messages: { readonly by: string; readonly type: string; readonly id: string; readonly line: string }[] =
  [];

let dir: string;
let postgres: TestPostgres;
let database: { readonly url: string };
let http: Server;
let smtp: SMTPServer;
let certificate: Certificate;
const portals: RunningServer[] = [];

/** Sends no request: the test says which lines are dead. */
const askLine: AskLine = async (address) => {
  const { hostname } = new URL(address);
  if ([...dead].some((host) => hostname.endsWith(host))) return { kind: 'unreachable', code: 'ECONNREFUSED' };
  const headers = {
    [DEFAULT_MARKER_HEADER]: MARKER,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  };
  return { kind: 'answer', status: 200, headers, timeMs: 5, certificate: undefined };
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const typeOf = (title: string): string => (title.startsWith('[已恢复]') ? 'resolved' : 'opened');
const lineOf = (text: string): string => /line\d/.exec(text)?.[0] ?? '';

/** Mail programs write Chinese as quoted-printable text, such as `=E4=B8=8D`. */
function decodeQuoted(text: string): string {
  return decodeURIComponent(text.replaceAll('=\r\n', '').replaceAll('%', '%25').replaceAll('=', '%'));
}

/** A webhook, and a stand-in for Telegram that demands what its Bot API does. */
function receive(path: string, type: string, body: string): number {
  const json = JSON.parse(body) as Record<string, string>;
  if (path === '/hook') {
    const { id = '', type: given = '', subject = '' } = json;
    messages.push({ by: 'webhook', type: given, id, line: lineOf(subject) });
    return 200;
  }
  const isRight = path === `/bot${TOKEN}/sendMessage` && type.startsWith('application/json');
  if (!isRight || json['chat_id'] === undefined || !json['text'] || json['text'].length > 4_096) return 400;
  messages.push({ by: 'telegram', type: typeOf(json['text']), id: '', line: lineOf(json['text']) });
  return 200;
}

async function startPortal(): Promise<RunningServer> {
  const portal = await startTestServer({
    siteDir: join(dir, 'site'),
    dataDir: join(dir, `data${portals.length}`),
    database,
    askLine,
    probeEveryMs: 300,
    messages: {
      readVariable: (name) => ({ WAYPOST_ALERT_BOT: TOKEN })[name],
      isAllowed: () => true,
      ca: certificate.cert,
    },
  });
  portals.push(portal);
  return portal;
}

describe('two portals on one PostgreSQL', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-alerts-'));
    postgres = await startPostgres();
    database = { url: await postgres.createDatabase() };
    certificate = await makeCertificate(['mail.localhost']);
    http = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const status = receive(request.url ?? '', request.headers['content-type'] ?? '', body);
        response.writeHead(status).end('{"ok":true}');
      });
    }).listen(0, LOOPBACK);
    await once(http, 'listening');
    smtp = new SMTPServer({
      ...certificate,
      secure: true,
      authOptional: true,
      onData: (stream, _session, callback) => {
        let mail = '';
        stream.on('data', (chunk) => (mail += String(chunk)));
        stream.on('end', () => {
          const id = /Message-ID: <(.*)@/.exec(mail)?.[1] ?? '';
          const [head = '', body = ''] = mail.split('\r\n\r\n', 2);
          const text = head.includes('base64') ? Buffer.from(body, 'base64').toString() : decodeQuoted(body);
          messages.push({ by: 'mail', type: typeOf(text), id, line: lineOf(text) });
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => void smtp.listen(0, LOOPBACK, resolve));
    const url = `http://${LOOPBACK}:${portOf(http)}`;
    const files = await createSiteFiles((config) => {
      config['alerts'] = {
        confirm: { everySeconds: 1, bad: 3, good: 2, calmSeconds: 1 },
        channels: [
          { name: 'hook', kind: 'webhook', url: `${url}/hook` },
          { name: 'night', kind: 'telegram', chat: '-1', api: url, secret: 'env:WAYPOST_ALERT_BOT' },
          {
            name: 'office',
            kind: 'mail',
            server: `smtps://mail.localhost:${portOf(smtp.server)}`,
            from: 'a@example.com',
            to: ['b@example.com'],
          },
        ],
        rules: [{ to: ['hook', 'night', 'office'] }],
      };
    });
    for (const [path, bytes] of files) {
      const file = join(dir, 'site', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
    await startPortal();
    await startPortal();
  });

  afterAll(async () => {
    await Promise.all(portals.map(({ close }) => close()));
    http.close();
    await new Promise<void>((resolve) => smtp.close(resolve));
    await postgres.close();
    await rm(dir, { recursive: true, force: true });
  });

  const told = (line: string) =>
    messages
      .filter((message) => message.line === line)
      .map(({ by, type }) => `${by} ${type}`)
      .toSorted();
  const OPENED = ['mail opened', 'telegram opened', 'webhook opened'];
  const BOTH = [...OPENED, 'mail resolved', 'telegram resolved', 'webhook resolved'].toSorted();
  const listOf = async ({ opsUrl }: RunningServer): Promise<ConsoleIncidents['incidents']> => {
    const answer = await fetch(`${opsUrl}/api/console/incidents`);
    return ((await answer.json()) as ConsoleIncidents).incidents;
  };

  async function waitFor(line: string, expected: readonly string[]): Promise<void> {
    await vi.waitFor(() => expect(told(line).length).toBeGreaterThanOrEqual(expected.length), PATIENCE);
    expect(told(line)).toEqual(expected);
  }

  test('a line that is killed is one message on every channel, and one when it is back', async () => {
    dead.add('line1.localhost');
    await waitFor('line1', OPENED);
    dead.clear();
    await waitFor('line1', BOTH);
    // Both portals show the same incident.
    await vi.waitFor(async () => {
      const [one, other] = await Promise.all(portals.map(listOf));
      expect(one).toMatchObject([{ kind: 'line-down', endedAt: expect.any(Number) as number }]);
      expect(other).toEqual(one);
    }, PATIENCE);
  });

  test('somebody takes an incident at the portal that does not lead, and both say so', async () => {
    dead.add('line2.localhost');
    await waitFor('line2', OPENED);
    const [, other] = portals;
    if (other === undefined) throw new Error('there are two');
    const incident = await vi.waitFor(async () => {
      const found = (await listOf(other)).find(({ subject }) => subject.includes('line2'));
      if (found === undefined) throw new Error('not there yet');
      return found;
    }, PATIENCE);
    const answer = await fetch(`${other.opsUrl}/api/console/incidents/take`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: other.opsUrl },
      body: JSON.stringify({ id: incident.id }),
    });
    expect(answer.status).toBe(200);
    await vi.waitFor(async () => {
      const lists = await Promise.all(portals.map(listOf));
      const takers = lists.map((list) => list.find(({ id }) => id === incident.id)?.takenBy);
      expect(takers).toEqual(['loopback', 'loopback']);
    }, PATIENCE);
    // A line that goes down within a minute after it would be part of its incident.
    dead.clear();
    await waitFor('line2', BOTH);
  });

  test('the database is killed and started again: nothing is forgotten, and nothing is told under another id', async () => {
    await postgres.kill();
    dead.add('line3.localhost');
    await postgres.start();
    await vi.waitFor(() => expect(new Set(told('line3'))).toEqual(new Set(OPENED)), PATIENCE);
    const ofLine3 = messages.filter(({ line, id }) => line === 'line3' && id !== '');
    expect(new Set(ofLine3.map(({ by, id }) => `${by} ${id}`)).size).toBe(2);
    await vi.waitFor(async () => {
      for (const list of await Promise.all(portals.map(listOf))) {
        expect(list.map(({ subject }) => lineOf(subject)).toSorted()).toEqual(['line1', 'line2', 'line3']);
      }
    }, PATIENCE);
  });

  test('the portal that leads ends: the other one goes on with its incidents', async () => {
    const [first, second] = portals;
    await first?.close();
    portals.shift();
    dead.clear();
    await vi.waitFor(() => expect(new Set(told('line3'))).toEqual(new Set(BOTH)), PATIENCE);
    await vi.waitFor(async () => {
      expect(second && (await listOf(second)).every(({ endedAt }) => endedAt !== null)).toBe(true);
    }, PATIENCE);
  });
});
