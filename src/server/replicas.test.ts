import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, type RequestOptions, get, request } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../e2e/support/make-certificate.ts';
import { readReports } from '../../e2e/support/read-reports.ts';
import { NGINX } from '../../e2e/support/run-nginx.ts';
import { sendVisits } from '../../e2e/support/send-visits.ts';
import { type Replicas, startReplicas } from '../../e2e/support/start-replicas.ts';
import { createRecord } from './testing/intake-messages.ts';
import { connectRaw } from './testing/raw-client.ts';
import { PATIENCE } from './testing/patience.ts';

const VISITORS = 6;
const ENOUGH_VISITS = 40;
/** An address of loopback that nginx does not take for a proxy's. */
const ATTACKER = '127.0.0.2';

const areProgramsThere = existsSync(NGINX) && existsSync('/usr/lib/postgresql');

// `npm test` installs nginx and PostgreSQL; `npm run check` makes do without.
describe.runIf(areProgramsThere)(
  'two portals, PostgreSQL and nginx on the shipped configs',
  { timeout: 120_000 },
  () => {
    let replicas: Replicas;
    let ca: string;

    beforeAll(async () => {
      const certificate = await makeCertificate(['localhost']);
      ca = certificate.cert;
      replicas = await startReplicas(certificate, { site: { monitoring: { intakeUrl: 'self' } } });
    });

    afterAll(() => replicas.close());

    test('speak HTTP/2, and send plain http on to https', async () => {
      const session = connectHttp2(replicas.url, { ca });
      const [headers] = (await once(session.request({ ':path': '/' }), 'response')) as [NodeJS.Dict<unknown>];
      session.destroy();
      expect([headers[':status'], headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
      const plain = await fetch(`${replicas.plainUrl}/r`, { redirect: 'manual' });
      expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://localhost/r']);
    });

    test('know the real address of a caller', async () => {
      const { body } = await ask('/api/get_ip', { headers: { 'X-Forwarded-For': '198.51.100.7' } });
      expect(JSON.parse(body)).toMatchObject({ get_ip: '198.51.100.7' });
      const forged = await ask('/api/get_ip', {
        headers: { 'X-Forwarded-For': '198.51.100.7', Forwarded: 'for=192.0.2.1' },
      });
      expect(JSON.parse(forged.body)).toMatchObject({ get_ip: '198.51.100.7' });
    });

    test('are asked for a script once, and for pages and calls each time', async () => {
      const { body } = await ask('/');
      const script = /\/assets\/start-[\w-]+\.js/.exec(body)?.[0] ?? '';
      for (let times = 0; times < 5; times += 1) expect((await ask(script)).status).toBe(200);
      for (let times = 0; times < 30; times += 1)
        expect((await ask(`${script}?v=${times}`)).status).toBe(200);
      expect(await countRequests('route="/assets/*"')).toBe(1);
      for (let times = 0; times < 5; times += 1) expect((await ask('/json/link.json')).status).toBe(200);
      expect(await countRequests('route="/json/link.json"')).toBe(5);
    });

    test('take what pages record, up to 256 KB', async () => {
      const record = JSON.stringify(createRecord());
      const post = (bytes: number): Promise<number> =>
        new Promise((resolve, reject) => {
          const sent = request(new URL('/api/intake', replicas.url), { ca, method: 'POST' }, (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          });
          sent.on('error', reject).end(record.padEnd(bytes));
        });
      for (let times = 0; times < 4; times += 1) expect(await post(0)).toBe(204);
      // The portal's own words: nginx let it through.
      expect(await post(262_144)).toBe(413);
      expect(await sumMetric('waypost_intake_messages_total')).toBe(5);
    });

    test('answer nobody who asks for another name, and send nobody there', async () => {
      for (const [target, host] of [
        ['/r', 'evil.example'],
        ['http://evil.example/r', 'localhost'],
      ]) {
        const { socket, closed } = connectRaw(replicas.plainUrl);
        socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        expect(await closed).toBe('');
      }
      const headers = { Host: 'evil.example' };
      await expect(ask('/', { headers })).rejects.toThrow('unrecognized name');
      await expect(ask('/', { headers, servername: 'localhost' })).rejects.toThrow(/hang up|ECONNRESET/);
    });

    test('serve their visitors while one address opens 1,700 connections and never ends its headers', async () => {
      const { port } = new URL(replicas.plainUrl);
      const attackers = Array.from({ length: 1_700 }, () =>
        connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER }).on(
          'error',
          () => undefined,
        ),
      );
      for (const socket of attackers) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
      const visitors = sendVisits(replicas.url, { ca, visitors: VISITORS });
      await waitForVisits(visitors.tally, ENOUGH_VISITS);
      await visitors.stop();
      expect(visitors.tally.failures).toEqual([]);
      // They are cut off in the end.
      for (const socket of attackers) socket.resume();
      await vi.waitFor(() => expect(attackers.filter(({ closed }) => !closed).length).toBe(0), PATIENCE);
    });

    test('refuse an address that asks far more than visitors do, and no other', async () => {
      const script = /\/assets\/start-[\w-]+\.js/.exec((await ask('/')).body)?.[0] ?? '';
      const statuses: string[] = [];
      // 200 a second are allowed beyond the first 1,000. On any machine nginx answers more than that from its own cache.
      while (!statuses.includes('429')) {
        statuses.push(...(await askAtOnce(script, 500)));
        expect((await ask('/json/link.json')).status).toBe(200);
      }
      expect(new Set(statuses)).toEqual(new Set(['200', '429']));
      expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(1_000);
    });

    test('lose neither a request nor a report when PostgreSQL is gone for a while', async () => {
      const visitors = sendVisits(replicas.url, { ca, visitors: VISITORS });
      await waitForVisits(visitors.tally, ENOUGH_VISITS);
      await replicas.postgres.kill();
      await waitForStore(0);
      await waitForVisits(visitors.tally, ENOUGH_VISITS);
      await replicas.postgres.start();
      await waitForStore(1);
      await waitForVisits(visitors.tally, ENOUGH_VISITS);
      await visitors.stop();
      expect(visitors.tally.failures).toEqual([]);
      const accepted = await sumMetric('waypost_measurements_total', 'verdict="accepted"');
      expect(accepted).toBeGreaterThanOrEqual(visitors.tally.accepted);
      const client = new Client(replicas.databaseUrl);
      await client.connect();
      await vi.waitFor(
        async () => expect(sum((await readReports(client)).values())).toBe(accepted),
        PATIENCE,
      );
      await client.end();
      expect(await sumMetric('waypost_measurement_counts_lost_total')).toBe(0);
    });

    test('agree on what they sign, also where one starts later', async () => {
      const visitors = sendVisits(replicas.url, { ca, visitors: VISITORS });
      await replicas.portals[1]?.stop('SIGTERM');
      await replicas.portals[1]?.start();
      await waitForVisits(visitors.tally, ENOUGH_VISITS);
      await visitors.stop();
      expect(visitors.tally.failures).toEqual([]);
    });

    test.each(['SIGTERM', 'SIGKILL'] as const)(
      'lose no request when each is ended by %s in turn',
      async (signal) => {
        const visitors = sendVisits(replicas.url, { ca, visitors: VISITORS });
        await waitForVisits(visitors.tally, ENOUGH_VISITS);
        // The next one right after the last: nginx has not yet found out that that one is back.
        for (const portal of replicas.portals) {
          await portal.stop(signal);
          await waitForVisits(visitors.tally, ENOUGH_VISITS);
          await portal.start();
        }
        await waitForVisits(visitors.tally, ENOUGH_VISITS);
        await visitors.stop();
        expect(visitors.tally.failures).toEqual([]);
      },
    );

    test('log no error but that the database was away', () => {
      const errors = replicas.portals.flatMap(({ log }) =>
        log.filter((line) => !/"level":[1-4]0\b/.test(line)),
      );
      expect(errors.filter((line) => !line.includes('StoreAwayError'))).toEqual([]);
    });

    async function waitForVisits(tally: { readonly visits: number }, more: number): Promise<void> {
      const enough = tally.visits + more;
      await vi.waitFor(() => expect(tally.visits).toBeGreaterThanOrEqual(enough), PATIENCE);
    }

    async function waitForStore(isUp: 0 | 1): Promise<void> {
      for (const portal of replicas.portals) {
        await vi.waitFor(
          async () => expect(await portal.readMetric('waypost_database_up')).toBe(isUp),
          PATIENCE,
        );
      }
    }

    async function sumMetric(name: string, label?: string): Promise<number> {
      const values = await Promise.all(replicas.portals.map(({ readMetric }) => readMetric(name, label)));
      return values.reduce<number>((total, value) => total + (value ?? 0), 0);
    }

    function countRequests(label: string): Promise<number> {
      return sumMetric('waypost_requests_total', label);
    }

    /** Asks many times in one go, without waiting for the answers, and returns their statuses. */
    async function askAtOnce(path: string, times: number): Promise<readonly string[]> {
      const { port } = new URL(replicas.url);
      const plain = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER });
      const socket = connectTls({ socket: plain, servername: 'localhost', ca });
      const question = `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n`;
      socket.write(`${question}\r\n`.repeat(times - 1) + `${question}Connection: close\r\n\r\n`);
      return (await text(socket)).match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? [];
    }

    function ask(path: string, options: RequestOptions = {}): Promise<{ status: number; body: string }> {
      return new Promise((resolve, reject) => {
        get(new URL(path, replicas.url), { agent: new Agent({ ca }), ...options }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        }).on('error', reject);
      });
    }
  },
);

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}
