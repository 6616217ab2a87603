import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import { createRandom } from '../engine/testing/create-random.ts';
import { isSoak } from '../engine/testing/tenth-of.ts';
import type { ReplicaOptions } from './testing/serve-for-ever.ts';
import { spawnFunction } from './testing/spawn-function.ts';
import { type TestPostgres, startPostgres } from './testing/start-postgres.ts';

/** Each takes some seconds. */
const FAULTS = isSoak() ? 200 : 2;
/** For 200 faults there are a hundred lines, and two cores cannot ask them all more often. */
const PROBE_EVERY_MS = isSoak() ? 2_000 : 400;
/** A portal that was killed asks all lines anew before it tells more, and the cores may be busy. */
const PATIENCE = { timeout: 200_000, interval: 50 };
/** Each line is killed once and revived once. An incident that comes back within ten minutes would be the same one. */
const LINES = Math.ceil(FAULTS / 2) + 3;
const CHANNELS = ['pager', 'chat', 'desk'];
const MARKER = 'waypost-demo';
const SERVE_FOR_EVER = new URL('./testing/serve-for-ever.ts', import.meta.url);

type Told = { readonly channel: string; readonly type: string; readonly line: string; readonly id: string };
/** A message that has arrived, and is not answered yet. */
type Arrival = Told & { readonly sender: string; readonly response: ServerResponse };

const dead = new Set<string>();
const arrived: Told[] = [];
const portals = new Map<string, ChildProcess>();
const closing: (() => unknown)[] = [];
let onArrival: (arrival: Arrival) => void;
let postgres: TestPostgres;
let startPortal: (name: string) => Promise<void>;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-killed-portals-'));
  closing.push(() => rm(dir, { recursive: true, force: true }));
  postgres = await startPostgres();
  closing.unshift(postgres.close);
  const database = { url: await postgres.createDatabase() };
  const lineServer = await listen(createServer(answerAsLine));
  const receiver = await listen(createServer((request, response) => void receive(request, response)));
  const hosts = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `http://${name}${index}.localhost:${portOf(lineServer)}`);
  const site = await makeSiteFolder({
    site: {
      lines: { marker: MARKER, hosts: hosts('line', LINES), fallback: hosts('backup', 4) },
      alerts: {
        confirm: { everySeconds: 1, bad: 3, good: 2, calmSeconds: 1 },
        channels: CHANNELS.map((name) => ({
          name,
          kind: 'webhook',
          url: `http://127.0.0.1:${portOf(receiver)}/${name}`,
          secret: 'env:WAYPOST_ALERT_SECRET',
        })),
        rules: [{ when: ['line-down'], to: CHANNELS }],
      },
    },
  });
  closing.push(site.remove);
  startPortal = async (name) => {
    const options: ReplicaOptions = {
      siteDir: site.dir,
      dataDir: join(dir, name),
      database,
      // Only its name, so that the signature of a message tells who has sent it.
      messageSecret: name,
      probeEveryMs: PROBE_EVERY_MS,
    };
    const child = await spawnFunction(SERVE_FOR_EVER, 'serveForEver', [options]);
    portals.set(name, child);
    await once(child, 'message');
  };
  await Promise.all(['first', 'second'].map(startPortal));
});

afterAll(async () => {
  for (const child of portals.values()) child.kill('SIGKILL');
  for (const close of closing) await close();
});

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.unshift(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function nameLine(host: string | undefined): string {
  return /(?:line|backup)\d+/.exec(host ?? '')?.[0] ?? '';
}

function answerAsLine({ headers, socket }: IncomingMessage, response: ServerResponse): void {
  if (dead.has(nameLine(headers.host))) return void socket.destroy();
  const allowed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' };
  response.writeHead(200, { Server: MARKER, ...allowed }).end();
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { id, type, subject } = JSON.parse(body) as { id: string; type: string; subject: string };
  const told = { channel: request.url?.slice(1) ?? '', type, line: nameLine(subject), id };
  arrived.push(told);
  const signature = String(request.headers['waypost-signature']);
  onArrival({ ...told, sender: findSender(body, signature), response });
}

function findSender(body: string, signature: string): string {
  const [, seconds, given] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
  const sign = (name: string): string =>
    createHmac('sha256', name).update(`${seconds}.${body}`).digest('hex');
  return [...portals.keys()].find((name) => sign(name) === given) ?? '';
}

/** Kills a portal, and starts it again. */
async function killPortal(name: string): Promise<void> {
  const child = portals.get(name);
  if (child === undefined) throw new Error(`a message is signed by nobody: ${name}`);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  await startPortal(name);
}

/** Ends the database in the middle of what it does, and starts it again. */
async function restartPostgres(): Promise<void> {
  await postgres.kill();
  await postgres.start();
}

/** Disturbs at the arrival of one of the messages about a line. Resolves when the fault is over. */
function disturbAt(
  { line, type, place }: Pick<Told, 'line' | 'type'> & { readonly place: number },
  disturb: (arrival: Arrival) => Promise<void>,
): Promise<void> {
  let left = place;
  return new Promise((resolve, reject) => {
    onArrival = (arrival) => {
      if (arrival.line === line && arrival.type === type) left -= 1;
      if (left === 0) disturb(arrival).then(resolve, reject);
      else arrival.response.end();
    };
  });
}

function countTold({ line, type }: Pick<Told, 'line' | 'type'>): number {
  return new Set(
    arrived.filter((told) => told.line === line && told.type === type).map(({ channel }) => channel),
  ).size;
}

test.runIf(existsSync('/usr/lib/postgresql'))(
  `portals that are killed while they tell, and a database that is killed, lose no message and repeat one only with its id: ${FAULTS} faults`,
  { timeout: 300_000 + FAULTS * 60_000 },
  async () => {
    const random = createRandom(3);
    for (let fault = 0; fault < FAULTS; fault += 1) {
      const event = { line: `line${Math.floor(fault / 2)}`, type: fault % 2 === 0 ? 'opened' : 'resolved' };
      const isAnswered = fault > 0 && random() < 0.5;
      const place = 1 + Math.floor(random() * CHANNELS.length);
      const disturbed = disturbAt({ ...event, place }, async ({ sender, response }) => {
        if (fault % 3 === 1) {
          response.end();
          return restartPostgres();
        }
        // Killed with the answer on its way, or without one.
        if (isAnswered) response.end();
        return killPortal(sender);
      });
      if (event.type === 'opened') dead.add(event.line);
      else dead.clear();
      await vi.waitFor(() => expect(countTold(event), JSON.stringify(event)).toBe(CHANNELS.length), PATIENCE);
      await disturbed;
    }
    const ids = new Map<string, Set<string>>();
    for (const { channel, type, line, id } of arrived) {
      const name = `${channel} ${type} ${line}`;
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
    }
    expect(ids.size).toBe(FAULTS * CHANNELS.length);
    expect([...ids].filter(([, each]) => each.size > 1)).toEqual([]);
    // Otherwise nobody was killed between sending and noting.
    expect(arrived.length).toBeGreaterThan(ids.size);
  },
);
