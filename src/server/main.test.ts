import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DESK_PATHS, PEOPLE_PATHS } from '../contract/paths.ts';
import type { RunningServer, ServerOptions } from './main.ts';
import { createSigner } from './caller/create-signer.ts';
import { createPreviewLinks } from './preview/create-preview-links.ts';
import { connectRaw } from './testing/raw-client.ts';
import { DEMO_SITE } from './testing/site-files.ts';
import { LOOPBACK, startTestServer } from './testing/start-test-server.ts';
import { startPostgres } from './testing/start-postgres.ts';
import { PATIENCE } from './testing/patience.ts';

let dir: string;
let running: RunningServer[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-main-'));
  await cp(DEMO_SITE, join(dir, 'site'), { recursive: true });
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map(({ close }) => close()));
  // A portal that is closed may still be writing a version that it was getting from another one.
  await rm(dir, { recursive: true, force: true, maxRetries: 20 });
});

async function start(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startTestServer({
    siteDir: join(dir, 'site'),
    dataDir: join(dir, 'data'),
    ...options,
  });
  running.push(server);
  return server;
}

describe('the portal', () => {
  test('renders its pages anew at midnight UTC, with the day’s names in its plain links', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 0, 1) - 1_000 });
    try {
      const { url } = await start();
      const readPage = async () => (await fetch(url)).text();
      expect(await readPage()).toContain('www20453.backup1.localhost');
      await vi.advanceTimersByTimeAsync(1_000);
      await vi.waitFor(async () => expect(await readPage()).toContain('www20454.backup1.localhost'));
      expect(await readPage()).not.toContain('www20453');
    } finally {
      vi.useRealTimers();
    }
  });

  test('answers real requests, and HEAD with the length of what GET would send', async () => {
    const { url } = await start();
    const page = await fetch(url, { headers: { 'Accept-Encoding': 'br' } });
    expect(page.headers.get('content-encoding')).toBe('br');
    expect(await page.text()).toContain('<title>landing zh-CN open</title>');
    const head = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(page.headers.get('content-length'));
    expect((await fetch(`${url}/t`, { redirect: 'manual' })).headers.get('location')).toBe('/');
  });

  test('shows a draft on a listener of its own, to everybody with a link of the console', async () => {
    const opsToken = 'a-token-of-16-characters';
    const { url, opsUrl, previewUrl } = await start({ isEditing: true, opsToken });
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${opsUrl}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${opsToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { url: string };
    };
    const edits = [{ path: ['brand', 'name'], value: 'In the draft' }];
    await call('/api/console/desk/draft/edit', { file: 'site.json', edits });
    const link = (await call('/api/console/desk/draft/preview', {})).url;
    expect(link).toMatch(`${previewUrl}/open/`);
    const opened = await fetch(link, { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const read = async (page: string) => (await fetch(page, { headers: { cookie } })).text();
    expect(await read(`${previewUrl}/`)).toContain('In the draft');
    expect(await read(url)).not.toContain('In the draft');
  });

  test('opens no preview for a stolen secret, or for a token that was revoked', async () => {
    const opsToken = 'a-token-of-16-characters';
    const secret = 'an operator’s own secret, kept in a vault';
    const { opsUrl, previewUrl } = await start({ isEditing: true, opsToken, secret });
    const call = async (path: string, body: object, token = opsToken) => {
      const answer = await fetch(`${opsUrl}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.text()) || '{}';
    };
    const open = async (link: string) => (await fetch(link, { redirect: 'manual' })).status;
    const signer = createSigner(Buffer.from(secret));
    const pass = {
      person: 'WAYPOST_OPS_TOKEN',
      epoch: 'listener',
      draft: 'own',
      consoleOrigin: 'https://evil.example',
    } as const;
    expect(await open(`${previewUrl}/open/${createPreviewLinks(signer, Date.now).issue(pass)}/`)).toBe(401);

    const made = await call(PEOPLE_PATHS.makeToken, { name: 'ci', role: 'editor', days: 1 });
    const { token } = JSON.parse(made) as { token: string };
    const { url } = JSON.parse(await call(DESK_PATHS.preview, {}, token)) as { url: string };
    expect(await open(url)).toBe(302);
    const people = await fetch(`${opsUrl}${PEOPLE_PATHS.people}`, {
      headers: { Authorization: `Bearer ${opsToken}` },
    });
    const { tokens } = (await people.json()) as { tokens: { id: string }[] };
    await call(PEOPLE_PATHS.revokeToken, { id: tokens[0]?.id });
    expect(await open(url)).toBe(401);
    await call(PEOPLE_PATHS.makeToken, { name: 'ci', role: 'editor', days: 1 });
    expect(await open(url)).toBe(401);
  });

  test('answers while PostgreSQL hangs, and closes in time', async () => {
    const postgres = await startPostgres();
    const { url, close } = await start({ database: { url: await postgres.createDatabase() } });
    try {
      postgres.pause();
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api/hostnames`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      running = [];
      await close();
    } finally {
      postgres.resume();
      await postgres.close();
    }
  });

  test('shows a change of its folder while it runs, and its version to the operator', async () => {
    const { url, opsUrl } = await start();
    const file = join(dir, 'site/site.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('waypost-demo', 'waypost-live'));
    await vi.waitFor(async () => expect(await (await fetch(url)).text()).toContain('waypost-live'), {
      interval: 20,
    });
    expect(await (await fetch(`${opsUrl}/metrics`)).text()).toContain('waypost_site_version 2');
    await writeFile(file, '{');
    await vi.waitFor(
      async () =>
        expect(await (await fetch(`${opsUrl}/metrics`)).text()).toContain('waypost_site_refusals_total 1'),
      { interval: 20 },
    );
    expect(await (await fetch(url)).text()).toContain('waypost-live');
  });

  test('proves a caller’s address from one call to the next', async () => {
    const { url } = await start();
    const { get_ip, key_id } = (await (await fetch(`${url}/api/get_ip`)).json()) as Record<string, string>;
    expect(get_ip).toBe(LOOPBACK);
    const hosts = await fetch(`${url}/api/hostnames`, {
      headers: { RealUserAddr: get_ip ?? '', RealUserID: key_id ?? '' },
    });
    expect(await hosts.json()).toHaveLength(4);
    const ticket = hosts.headers.get('waypost-ticket');
    const body = JSON.stringify({ ticket, results: [{ index: 0, outcome: 'valid', time: 12 }], entered: 0 });
    expect((await fetch(`${url}/api/measurements`, { method: 'POST', body })).status).toBe(204);
    expect((await fetch(`${url}/api/measurements`, { method: 'POST', body })).status).toBe(400);
  });

  test('says in one line which port is in use, and leaves nothing behind', async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const other = { dataDir: join(dir, 'other data') };
    await expect(start({ ...other, port })).rejects.toThrow(`port ${port} on ${LOOPBACK} is in use`);
    await expect(start({ ...other, opsPort: port })).rejects.toThrow(`port ${port} on ${LOOPBACK} is in use`);
  });
});

describe('the operator’s listener', () => {
  test('tells whether the server is alive and ready, and what it has counted', async () => {
    const { opsUrl } = await start();
    const ask = async (path: string) => {
      const answer = await fetch(`${opsUrl}${path}`);
      return [answer.status, await answer.text()] as const;
    };
    expect(await ask('/healthz')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz')).toEqual([200, 'ready\n']);
    expect((await ask('/metrics'))[1]).toMatch(/process_resident_memory_bytes \d+/);
    // Once it has looked.
    await expect.poll(async () => (await ask('/metrics'))[1]).toContain('waypost_data_folder_up 1\n');
    expect((await ask('/'))[1]).toContain('/assets/console-1a2b3c.js');
    expect((await ask('/nothing'))[0]).toBe(404);
  });

  test('tells the console how many requests were over their limit', async () => {
    const { url, opsUrl } = await start();
    for (let calls = 0; calls < 603; calls += 1) await (await fetch(`${url}/api/get_ip`)).arrayBuffer();
    const overview = await fetch(`${opsUrl}/api/console/overview`);
    expect(await overview.json()).toMatchObject({ hour: { limited: 3 } });
  });

  test('leaves loopback only with a token, and then demands it', async () => {
    for (const opsToken of [undefined, '', 'a', 'x'.repeat(15)]) {
      await expect(start({ opsHost: '0.0.0.0', opsToken })).rejects.toThrow(
        'only with WAYPOST_OPS_TOKEN set to at least 16 characters: make one with "openssl rand -hex 32"',
      );
    }
    const { opsUrl } = await start({ opsHost: '0.0.0.0', opsToken: 'a-token-of-16-ch' });
    const statusWith = async (authorization: string) =>
      (await fetch(`${opsUrl.replace('0.0.0.0', LOOPBACK)}/metrics`, { headers: { authorization } })).status;
    expect(await statusWith('Bearer a-token-of-16-ch')).toBe(200);
    for (const wrong of [
      '',
      'Bearer ',
      'Bearer a-token-of-16-c',
      'Basic a-token-of-16-ch',
      'a-token-of-16-ch',
    ]) {
      expect(await statusWith(wrong), wrong).toBe(401);
    }
  });

  test('bears no guessing of its token, at any of its paths', async () => {
    const { opsUrl } = await start({ opsToken: 'a-long-token' });
    const guess = async (path: string) =>
      (await fetch(`${opsUrl}${path}`, { headers: { authorization: 'Bearer wrong' } })).status;
    for (const paths of [
      ['/metrics', '/api/console/lines'],
      ['/readyz', '/healthz'],
    ]) {
      const statuses: number[] = [];
      for (let tries = 0; tries < 20; tries += 1) statuses.push(await guess(paths[tries % 2] ?? ''));
      expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    }
  });

  test('without a token answers to this machine’s own names only, and to nothing but GET and HEAD', async () => {
    const { opsUrl } = await start();
    const ask = (options: { method?: string; headers?: Record<string, string> }) =>
      new Promise<number>((resolve) => {
        request(`${opsUrl}/metrics`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        }).end();
      });
    expect(await ask({ headers: { Host: 'localhost' } })).toBe(200);
    expect(await ask({ headers: { Host: 'rebound.example' } })).toBe(421);
    expect(await ask({ method: 'HEAD' })).toBe(200);
    expect(await ask({ method: 'POST' })).toBe(405);
  });
});

describe('closing', () => {
  test('ends the streams of open consoles instead of cutting them off', async () => {
    const { opsUrl, close } = await start({ bounds: { closingGraceMs: 0 } });
    running = [];
    const events = await fetch(`${opsUrl}/api/console/events`);
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    const text = events.text();
    await close();
    // A stream that is cut off would throw here.
    expect(await text).toMatch(/^event: overview\ndata: {/);
  });

  test('waits for a request that is under way, and takes no new ones', async () => {
    const { url, opsUrl, close } = await start();
    running = [];
    const { port } = new URL(url);
    const report = request({
      port,
      host: LOOPBACK,
      path: '/api/measurements',
      method: 'POST',
      headers: { 'Content-Length': 2 },
    });
    const answered = new Promise<number>((resolve) =>
      report.on('response', (answer) => resolve(answer.statusCode ?? 0)),
    );
    report.write('{');
    await vi.waitFor(async () => expect(report.socket?.bytesWritten).toBeGreaterThan(0));
    await fetch(`${url}/`); // The first bytes of the report have arrived before this was answered.
    const closed = close();
    const stranger = connect(Number(port), LOOPBACK);
    await expect(once(stranger, 'connect')).rejects.toThrow('ECONNREFUSED');
    expect((await fetch(`${opsUrl}/readyz`)).status).toBe(503);
    report.end('}');
    expect(await answered).toBe(400);
    await closed;
  });

  test('asks a client that keeps its connection to close it', async () => {
    const { url, close } = await start({ bounds: { closingGraceMs: 5_000 } });
    running = [];
    const client = connectRaw(url);
    const ask = `GET /json/link.json HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    client.socket.write(ask);
    await vi.waitFor(() => expect(client.received()).toContain('200 OK'));
    const closed = close();
    client.socket.write(ask);
    expect(await client.closed).toMatch(/200 OK[\s\S]+200 OK[\s\S]+Connection: close/);
    await closed;
  });
});

describe('two portals with editing and one PostgreSQL', () => {
  const token = 'a-token-for-this-test';
  const call = async ({ opsUrl }: RunningServer, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const question = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${opsUrl}${path}`, { headers, ...question });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const publish = async (server: RunningServer, accent: string, basedOn: number) => {
    const edits = [{ path: ['theme', 'accent'], value: accent }];
    await call(server, DESK_PATHS.edit, { file: 'site.json', edits });
    return call(server, DESK_PATHS.publish, { why: 'because', basedOn });
  };

  test('have the same site, people and audit log, and serve while both are away', async () => {
    const postgres = await startPostgres();
    try {
      const database = { url: await postgres.createDatabase() };
      const shared = { isEditing: true, database, opsToken: token };
      const one = await start(shared);
      const two = await start({ ...shared, dataDir: join(dir, 'other data') });
      expect(await publish(one, '#5ec28f', 1)).toMatchObject({ status: 200, body: { number: 2 } });
      await vi.waitFor(
        async () => expect(await (await fetch(two.url)).text()).toContain('#5ec28f'),
        PATIENCE,
      );
      expect(await call(two, DESK_PATHS.restore, { number: 1, why: '', basedOn: 2 })).toMatchObject({
        body: { number: 3 },
      });
      await vi.waitFor(
        async () => expect(await (await fetch(one.url)).text()).toContain('#e0b34c'),
        PATIENCE,
      );

      await call(two, PEOPLE_PATHS.invite, { name: 'mei', role: 'viewer' });
      await vi.waitFor(async () => {
        expect(await call(one, PEOPLE_PATHS.people)).toMatchObject({ body: { people: [{ name: 'mei' }] } });
        for (const server of [one, two]) {
          const { body } = await call(server, PEOPLE_PATHS.audit);
          const { entries } = body as { entries: readonly { action: string }[] };
          const told = ['invited', 'rolled-back', 'published'];
          expect(entries.map(({ action }) => action).filter((action) => told.includes(action))).toEqual(told);
        }
      }, PATIENCE);

      const three = await start({ ...shared, dataDir: join(dir, 'third data') });
      expect(await call(three, PEOPLE_PATHS.people)).toMatchObject({ body: { people: [{ name: 'mei' }] } });
      expect(await call(three, DESK_PATHS.state)).toMatchObject({ body: { current: { number: 3 } } });

      await postgres.kill();
      expect(await publish(one, '#777777', 3)).toMatchObject({
        status: 503,
        body: { error: { code: 'store-away' } },
      });
      expect(await call(one, PEOPLE_PATHS.invite, { name: 'li', role: 'viewer' })).toMatchObject({
        status: 503,
        body: { error: { code: 'store-away' } },
      });
      for (const { url } of [one, two]) expect((await fetch(url)).status).toBe(200);
    } finally {
      await postgres.close();
    }
  });
});
