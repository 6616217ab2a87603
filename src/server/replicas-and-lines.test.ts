import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import type { ConsoleLines, ConsoleOverview } from '../contract/console.ts';
import { requestLine } from '../line/request-line.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { type ComposedServer, composeServer } from './compose.ts';
import { askApp } from './testing/ask-app.ts';
import { createFakeWebBuild } from './testing/fake-web-build.ts';
import { startPostgres } from './testing/start-postgres.ts';

const MARKER = 'waypost-test';
const LINES = [1, 2, 3, 4, 5].map((number) => `http://line${number}.localhost`);
/** The portals run in this process, and each look asks them for the lines of ninety visitors. */
const PATIENCE = { timeout: 120_000, interval: 500 };
const closing: (() => unknown)[] = [];
let servers: readonly ComposedServer[];
let cutOff: ComposedServer;
let hosts: Awaited<ReturnType<typeof startLineHosts>>;

/** Three portals on one PostgreSQL. The last one reaches no line at all. */
beforeAll(async () => {
  hosts = await startLineHosts({ marker: MARKER, ports: [0] });
  const postgres = await startPostgres();
  const database = { url: await postgres.createDatabase() };
  const { dir, remove } = await makeSiteFolder({
    site: {
      lines: {
        marker: MARKER,
        hosts: LINES,
        ports: hosts.ports,
        fallback: [1, 2, 3, 4].map((number) => `http://backup${number}.localhost`),
        health: { path: '/health', expect: { json: { path: 'status', value: 'ok' } }, everySeconds: 5 },
      },
    },
  });
  const web = await createFakeWebBuild();
  const start = async (isCutOff: boolean): Promise<ComposedServer> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'waypost-agree-'));
    const server = await composeServer({
      siteDir: dir,
      dataDir,
      database,
      log: pino({ level: 'silent' }),
      web,
      probeEveryMs: 500,
      askLine: async (address, options) =>
        isCutOff
          ? { kind: 'unreachable', code: 'ENETUNREACH' }
          : requestLine(address, { now: () => performance.now(), ...options }),
    });
    server.start();
    closing.unshift(async () => {
      await server.close(1_000);
      await rm(dataDir, { recursive: true, force: true });
    });
    return server;
  };
  closing.push(postgres.close, remove, hosts.close);
  servers = [await start(false), await start(false), await start(true)];
  const last = servers.at(-1);
  if (last === undefined) throw new Error('no server');
  cutOff = last;
}, 60_000);

afterAll(async () => {
  for (const close of closing) await close();
});

/** The lines that a portal hands to thirty visitors. */
async function listHanded({ portal }: ComposedServer): Promise<readonly string[]> {
  const handed = new Set<string>();
  for (let visitor = 0; visitor < 30; visitor += 1) {
    const { text } = await askApp(portal, '/api/hostnames', { from: `203.0.113.${visitor}` });
    for (const host of JSON.parse(text) as string[]) handed.add(host);
  }
  return [...handed].toSorted();
}

async function read<T>({ operator }: ComposedServer, path: string): Promise<T> {
  const { text } = await askApp(operator, path, { from: '127.0.0.1', headers: { host: 'localhost:8081' } });
  return JSON.parse(text) as T;
}

test('of three portals one is cut off from all lines: nothing happens, and it says so', async () => {
  await vi.waitFor(async () => {
    const { replicas } = await read<ConsoleOverview>(servers[0] ?? cutOff, '/api/console/overview');
    expect(replicas).toHaveLength(3);
    expect(replicas.filter(({ isCutOff }) => isCutOff)).toHaveLength(1);
  }, PATIENCE);
  await vi.waitFor(async () => {
    for (const server of servers) expect(await listHanded(server)).toEqual(LINES);
    const { lines } = await read<ConsoleLines>(cutOff, '/api/console/lines');
    expect(lines.map(({ status, judgedBy }) => `${status} by ${judgedBy}`)).toEqual(
      lines.map(() => 'up by replicas'),
    );
    expect(await read<ConsoleOverview>(cutOff, '/api/console/overview')).toMatchObject({
      cutOff: 'replicas',
      lines: { up: LINES.length, down: 0 },
    });
  }, PATIENCE);
});

test('a line whose application dies behind a perfect speed check is out on all three', async () => {
  hosts.set('line2.localhost', { fault: 'dead-application' });
  const others = LINES.filter((host) => !host.includes('line2'));
  await vi.waitFor(async () => {
    for (const server of servers) expect(await listHanded(server)).toEqual(others);
  }, PATIENCE);
  const { lines } = await read<ConsoleLines>(servers[0] ?? cutOff, '/api/console/lines');
  expect(lines.find(({ host }) => host.includes('line2'))).toMatchObject({
    status: 'down',
    judgedBy: 'probe',
    faults: [{ fault: { kind: 'health-status', path: '/health', status: 503 }, ports: [] }],
  });
  hosts.set('line2.localhost', {});
  await vi.waitFor(async () => {
    for (const server of servers) expect(await listHanded(server)).toEqual(LINES);
  }, PATIENCE);
});
