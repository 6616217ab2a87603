import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DEMO_SITE } from '../server/testing/site-files.ts';
import { spawnFunction } from '../server/testing/spawn-function.ts';
import { readOptions } from './serve.ts';
import { useDatabase } from './use-database.ts';

const RUN_PORTAL = new URL('./testing/run-portal.ts', import.meta.url);

describe('the options', () => {
  test('have defaults, give way to the environment, and that to the command line', () => {
    expect(readOptions([], {})).toMatchObject({
      siteDir: 'site',
      dataDir: 'data',
      port: 8080,
      opsHost: '127.0.0.1',
    });
    const env = {
      WAYPOST_SITE: '/e',
      PORT: '81',
      OPS_PORT: '82',
      HOST: '::',
      WAYPOST_SECRET: 's',
      WAYPOST_OPS_TOKEN: 't',
    };
    expect(readOptions(['--site', '/c', '--ops-port', '83'], env)).toEqual({
      siteDir: '/c',
      dataDir: 'data',
      host: '::',
      port: 81,
      opsHost: '127.0.0.1',
      opsPort: 83,
      previewPort: 8083,
      secret: 's',
      opsToken: 't',
      database: { dataDir: 'data' },
      isEditing: false,
      watchdogLimitMs: 30_000,
      askLine: expect.any(Function) as unknown,
      checkLine: expect.any(Function) as unknown,
      messages: {
        readVariable: expect.any(Function) as unknown,
        isAllowed: expect.any(Function) as unknown,
      },
    });
  });

  test.each([
    ['WAYPOST_WATCHDOG', 'watchdogLimitMs'],
    ['WAYPOST_WATCH_LINES', 'askLine'],
  ] as const)('turn off by %s what is on otherwise', (name, option) => {
    for (const env of [{}, { [name]: '' }, { [name]: 'on' }])
      expect(readOptions([], env)[option]).toBeDefined();
    expect(readOptions([], { [name]: 'off' })[option]).toBeUndefined();
    expect(() => readOptions([], { [name]: 'false' })).toThrow(`${name} must be "on" or "off", got "false"`);
  });

  test('turn editing on and off', () => {
    expect(readOptions(['--edit'], {})).toMatchObject({ isEditing: true });
    expect(readOptions([], { WAYPOST_EDIT: 'on' })).toMatchObject({ isEditing: true });
    expect(readOptions([], { WAYPOST_EDIT: 'off' })).toMatchObject({ isEditing: false });
    expect(() => readOptions([], { WAYPOST_EDIT: 'yes' })).toThrow(
      'WAYPOST_EDIT must be "on" or "off", got "yes"',
    );
  });

  test('that make no sense are refused by name', () => {
    expect(() => readOptions(['--port', '99999'], {})).toThrow(
      '--port must be a port from 0 to 65535, got "99999"',
    );
    expect(() => readOptions(['--prot', '1'], {})).toThrow("'--prot'");
  });

  test.each([
    ['WAYPOST_DATABASE_URL', '10.0.0.1:5432'],
    ['WAYPOST_DATABASE_URL', 'mysql://u:word@10.0.0.1/waypost'],
    ['WAYPOST_DATABASE_URL', 'postgres://u:a#b/c@10.0.0.1/waypost'],
    ['WAYPOST_DATABASE_DIRECT_URL', 'http://u:word@10.0.0.1/'],
  ])('take no address of a database such as %s=%s, and never print its password', (name, url) => {
    expect(() => readOptions([], { [name]: url })).toThrow(
      new RegExp(`^${name} must be a URL such as postgres://USER:PASSWORD@host:5432/waypost$`),
    );
  });

  test('take the address of a database, beside it the one without its pooler, and the name of a brand', () => {
    const env = {
      WAYPOST_DATABASE_URL: 'postgres://u:word@pooler.example:6432/waypost?sslmode=verify-full',
      WAYPOST_DATABASE_DIRECT_URL: 'postgresql://u:word@db.example/waypost',
      WAYPOST_BRAND: 'brand-one',
    };
    expect(readOptions([], env)).toMatchObject({
      database: {
        url: env.WAYPOST_DATABASE_URL,
        directUrl: env.WAYPOST_DATABASE_DIRECT_URL,
        brand: 'brand-one',
      },
    });
    expect(readOptions([], { WAYPOST_DATABASE_URL: '' }).database).toMatchObject({ url: undefined });
    expect(() => readOptions([], { ...env, WAYPOST_DATABASE_URL: '' })).toThrow(
      'WAYPOST_DATABASE_DIRECT_URL needs WAYPOST_DATABASE_URL',
    );
    expect(() => readOptions([], { WAYPOST_BRAND: 'Brand One' })).toThrow('WAYPOST_BRAND must be');
  });
});

describe('a running portal', () => {
  let dir: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-serve-'));
    await cp(DEMO_SITE, join(dir, 'site'), { recursive: true });
  });

  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  async function start(): Promise<{ process: ChildProcess; url: string; opsUrl: string }> {
    child = await spawnFunction(RUN_PORTAL, 'runPortal', [join(dir, 'site'), join(dir, 'data')]);
    const [{ url, opsUrl }] = (await once(child, 'message')) as [{ url: string; opsUrl: string }];
    return { process: child, url, opsUrl };
  }

  test('finishes every request it took when it is told to stop under load, and exits with 0', async () => {
    const { process: server, url } = await start();
    const lines: string[] = [];
    server.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)));
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const tally = { answered: 0, failed: [] as string[] };
    const exited = once(server, 'exit');
    let isStopped = false;
    const visit = async (): Promise<void> => {
      while (!isStopped) {
        const outcome = await request(`${url}/json/link.json`, agent);
        if (outcome === 'ok') {
          tally.answered += 1;
          if (tally.answered === 500) server.kill('SIGTERM');
        } else if (outcome === 'ECONNREFUSED') isStopped = true;
        else tally.failed.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: 20 }, visit));
    expect(await exited).toEqual([0, null]);
    agent.destroy();
    expect(tally.failed).toEqual([]);
    expect(tally.answered).toBeGreaterThanOrEqual(500);
    // Everything that was answered is in the log, down to the last line.
    expect(lines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(tally.answered);
    expect(lines.at(-1)).toContain('"msg":"closed"');
  });

  test('that finds its port in use ends by itself', async () => {
    const { url } = await start();
    const failing = await spawnFunction(RUN_PORTAL, 'runPortal', [
      join(dir, 'site'),
      join(dir, 'other'),
      new URL(url).port,
    ]);
    onTestFinished(() => void failing.kill('SIGKILL'));
    expect(await once(failing, 'exit')).toEqual([1, null]);
  });

  test('that was killed while its folder was being written starts again with what was written', async () => {
    const { process: server, url } = await start();
    const readSecrets = () =>
      useDatabase({ dataDir: join(dir, 'data') }, ({ read }) => read('select secret from secrets'));
    const secrets = await readSecrets();
    expect(secrets).toHaveLength(1);
    const whole = await readFile(join(dir, 'site/site.json'), 'utf8');
    await writeFile(join(dir, 'site/site.json'), whole.slice(0, 300));
    await request(`${url}/`);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await writeFile(join(dir, 'site/site.json'), whole);
    const next = await start();
    expect(await request(`${next.url}/`)).toBe('ok');
    expect(await readSecrets()).toEqual(secrets);
  });
});

/** The outcome of a request: "ok", its status, or the code of its error. */
function request(url: string, agent?: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = get(url, agent ? { agent } : {}, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode === 200 ? 'ok' : String(response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
  });
}
