import { existsSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../e2e/support/make-certificate.ts';
import type { LineProgram } from '../../e2e/support/run-line-program.ts';
import { startCaddyLine } from '../../e2e/support/start-caddy-line.ts';
import { startNginxLine } from '../../e2e/support/start-nginx-line.ts';
import type { LineReply } from '../contract/line/line-reply.ts';
import { requestLine } from './request-line.ts';
import { startLineHosts } from './start-line-hosts.ts';

// One suite for our own line host and for the two configs that we ship: all three must answer alike.
const HOST = 'line1.localhost';
const certificate = await makeCertificate([HOST, `*.${HOST}`]);

const secureContext = createSecureContext({ ca: certificate.cert });

type StartLine = (tls: Certificate | undefined) => Promise<LineProgram>;

const PROGRAMS: readonly { name: string; file: string; start: StartLine }[] = [
  { name: 'waypost line', file: process.execPath, start: startOwnLine },
  { name: 'nginx', file: '/usr/sbin/nginx', start: (tls) => startNginxLine(tls && { certificate: tls }) },
  { name: 'Caddy', file: '/usr/bin/caddy', start: (tls) => startCaddyLine(tls && { certificate: tls }) },
];

// `npm test` installs both servers; `npm run check` makes do with what is there.
describe.each(PROGRAMS.filter(({ file }) => existsSync(file)))('$name', ({ start }) => {
  describe.each([
    ['http', undefined],
    ['https', certificate],
  ])('over %s', (scheme, tls) => {
    let line: LineProgram;
    beforeAll(async () => {
      line = await start(tls);
    });
    afterAll(() => line.close());

    it('answers the speed check on every port, with every header that a page needs', async () => {
      const names = [HOST, `www20407.${HOST}`];
      const addresses = names.flatMap((name) => line.ports.map((port) => `${scheme}://${name}:${port}`));
      const replies = await Promise.all(addresses.map(ask));
      expect(replies).toHaveLength(10);
      for (const reply of replies) {
        expect(reply).toMatchObject({
          status: 200,
          headers: {
            server: line.marker,
            'access-control-allow-origin': '*',
            'access-control-expose-headers': 'Server',
            'timing-allow-origin': '*',
            'cache-control': 'no-store',
            'content-type': 'text/plain; charset=utf-8',
            'x-content-type-options': 'nosniff',
          },
          certificate: tls && { faultCode: undefined },
        });
      }
    });
  });

  describe('over http, elsewhere', () => {
    let line: LineProgram;
    beforeAll(async () => {
      line = await start(undefined);
    });
    afterAll(() => line.close());

    it('answers HEAD with the same head', async () => {
      const [read, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(`${origin()}/speed.php`, { method })),
      );
      expect(await read?.text()).toBe('ok');
      expect(await head?.text()).toBe('');
      expect(head?.headers.get('server')).toBe(line.marker);
      expect(head?.headers.get('access-control-expose-headers')).toBe('Server');
    });

    it('answers any query', async () => {
      const response = await fetch(`${origin()}/speed.php?1731645600000`);
      expect([response.status, response.headers.get('server')]).toEqual([200, line.marker]);
    });

    it('has a page for the visitor, which search engines leave out', async () => {
      const response = await fetch(origin());
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).toMatch(/<html lang="zh-CN">.*name="robots" content="noindex"/s);
    });

    // They are built, so `npm run check` may be without them.
    it.runIf(existsSync('deploy/line/www/waypost'))(
      'has the script and the worker that keep visitors in, for the whole line',
      async () => {
        for (const path of ['/waypost/stay.js', '/waypost/stay-worker.js']) {
          const response = await fetch(origin() + path);
          expect(response.status).toBe(200);
          expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
          expect(response.headers.get('service-worker-allowed')).toBe('/');
          expect(response.headers.get('cache-control')).toBe('max-age=3600');
          expect(await response.text()).toMatch(/^\/\* Waypost \d+\.\d+\.\d+ \*\//);
        }
      },
    );

    it('has nothing else', async () => {
      const missing = await fetch(`${origin()}/elsewhere`);
      const posted = await fetch(`${origin()}/speed.php`, { method: 'POST' });
      expect([missing.status, posted.status]).toEqual([404, 404]);
      for (const { headers } of [missing, posted]) {
        expect(headers.get('server')).toBe(line.marker);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    });

    function origin(): string {
      return `http://127.0.0.1:${line.ports[0]}`;
    }
  });
});

describe.each([
  ['nginx', '/usr/sbin/nginx', startNginxLine],
  ['Caddy', '/usr/bin/caddy', startCaddyLine],
] as const)('%s with the example of its config turned on', (_, file, start) => {
  it.runIf(existsSync(file))('refuses to be fetched ahead, and nothing else', async () => {
    const line = await start({ isRefusingPrefetch: true });
    const askFor = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${line.ports[0]}${path}`, { headers });
    const refused = await askFor('/', { 'Sec-Purpose': 'prefetch;anonymous-client-ip' });
    const [visited, probed] = [await askFor('/'), await askFor('/speed.php')];
    await line.close();
    expect([refused.status, visited.status, probed.status]).toEqual([503, 200, 200]);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(visited.headers.get('retry-after')).toBeNull();
    expect(refused.headers.get('server')).toBe(line.marker);
  });
});

async function startOwnLine(tls: Certificate | undefined): Promise<LineProgram> {
  const marker = 'waypost-demo';
  const { ports, close } = await startLineHosts({ marker, ports: [0, 0, 0, 0, 0], tls });
  return { marker, ports, close };
}

function ask(address: string): Promise<LineReply> {
  return requestLine(address, { now: () => performance.now(), secureContext });
}
