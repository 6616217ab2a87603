import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import type { DeskVersion } from '../contract/desk/desk.ts';
import type { ConsoleIncidents } from '../contract/incidents.ts';
import { CONSOLE_PATHS, DESK_PATHS, PEOPLE_PATHS, RECORDING_PATHS } from '../contract/paths.ts';
import type { AuditEntry, ConsolePeople } from '../contract/people.ts';
import type { SessionList } from '../contract/recordings.ts';
import { createRandom } from '../engine/testing/create-random.ts';
import { isSoak } from '../engine/testing/tenth-of.ts';
import {
  type Job,
  type LivePortal,
  TOKEN,
  type Work,
  ask,
  changePeople,
  publishVersions,
  readReplay,
  recordSegments,
  sessionOf,
} from './testing/busy-clients.ts';
import type { ServeOptions } from './testing/serve-for-ever.ts';
import { spawnFunction } from './testing/spawn-function.ts';
import { shrinkImages } from './testing/small-images.ts';
import { type TestPostgres, startPostgres } from './testing/start-postgres.ts';

type Told = { readonly channel: string; readonly line: string; readonly id: string };

/** Half of them on a slow disk. Each takes some seconds, two of them of a core: in `npm test` each job meets one. */
const KILLS = isSoak() ? { SQLite: 100, PostgreSQL: 200 } : { SQLite: 4, PostgreSQL: 4 };
const SYNC_DELAY_MS = 500;
const STRACE = '/usr/bin/strace';
const JOBS: readonly Job[] = ['publish', 'change people', 'tell', 'record'];
const CHANNELS = ['pager', 'chat'];
const MARKER = 'waypost-demo';
/** For 200 kills there are 203 lines, and two cores cannot ask them all more often. */
const PROBE_EVERY_MS = isSoak() ? 4_000 : 300;
/** The receiver answers a message after this time, so that a kill comes before the answer or after it. */
const TAKING_MS = 15;
/** A message that a killed portal was sending is sent again after 20 s, and the cores may be busy. */
const PATIENCE = { timeout: 200_000, interval: 100 };
const SERVE_FOR_EVER = new URL('./testing/serve-for-ever.ts', import.meta.url);

// SQLite is killed with its portal; of PostgreSQL every second kill is one of the server.
test.runIf(existsSync(STRACE) && existsSync('/usr/lib/postgresql')).each([
  ['SQLite', KILLS.SQLite],
  ['PostgreSQL', KILLS.PostgreSQL],
] as const)(
  '%s: after %i kills nothing that was acknowledged is missing, and nothing is there twice',
  { timeout: 300_000 + KILLS.PostgreSQL * 60_000 },
  async (engine, kills) => {
    const random = createRandom(7);
    // Of the clients, whose requests come in another order each time.
    const anyRandom = createRandom(8);
    const world = await startWorld(engine, random);
    const begins = new EventEmitter();
    const stopping = new AbortController();
    const work: Work = {
      drawPortal: () => draw(world.portals, anyRandom),
      onBegin: (job) => begins.emit(job),
      isOver: () => stopping.signal.aborted,
    };
    world.onTelling(() => begins.emit('tell'));
    const working = Promise.all([publishVersions(work), changePeople(work), recordSegments(work)]);
    await Promise.race([working, killAgainAndAgain()]);
    stopping.abort();
    const [versions, people, segments] = await working;

    for (const portal of world.portals) {
      await vi.waitFor(async () => {
        expect(await readVersions(portal)).toEqual([...versions].toReversed());
        expect(await readPeople(portal)).toEqual(people);
      }, PATIENCE);
      // What waits at the other portal is written by that one, after the database is back.
      await vi.waitFor(() => expectSegments(portal, segments), PATIENCE);
    }
    await world.expectEachToldOnce();
    await expectNoSecondNote(draw(world.portals, random));

    async function killAgainAndAgain(): Promise<void> {
      for (let kill = 0; kill < kills; kill += 1) {
        // Each job meets kills of a portal and of the database.
        const job = JOBS[(kill + Math.floor(kill / JOBS.length)) % JOBS.length] ?? 'publish';
        if (job === 'tell') await world.endLine();
        await once(begins, job);
        await wait(random() * (random() < 0.5 ? 2 * TAKING_MS : SYNC_DELAY_MS));
        if (engine === 'PostgreSQL' && kill % 2 === 1) await world.killPostgres();
        else await world.killPortal(draw(world.portals, random));
      }
    }
  },
);

/** Starts portals with lines, a receiver of messages and a database, all of which may be ended at any time. */
async function startWorld(engine: 'SQLite' | 'PostgreSQL', random: () => number) {
  const isShared = engine === 'PostgreSQL';
  const dir = await mkdtemp(join(tmpdir(), 'waypost-killed-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const deadLines = new Set<string>();
  /** All that were ended, one after the other. */
  const endedLines = new Set<string>();
  const told: Told[] = [];
  /** The lines of which a channel was told that they are back. */
  const toldBack = new Set<string>();
  let onTelling = (): void => undefined;
  const lines = await listen((request, response) => answerAsLine(request, response, deadLines));
  const receiver = await listen((request, response) => void receive(request, response));
  const site = await makeSiteFolder({ site: describeSite(portOf(lines), portOf(receiver)) });
  onTestFinished(site.remove);
  await shrinkImages(join(site.dir, 'images'));
  const postgres: TestPostgres | undefined = isShared ? await startPostgres() : undefined;
  if (postgres !== undefined) onTestFinished(postgres.close);
  const database = postgres && { url: await postgres.createDatabase() };
  const portals: LivePortal[] = [];
  onTestFinished(() => portals.forEach(({ process }) => process.kill('SIGKILL')));
  for (const name of isShared ? ['first', 'second'] : ['only']) portals.push(await startPortal(name));
  await perhapsDelaySyncs(postgres?.pids() ?? []);

  return {
    portals,
    onTelling: (call: () => void) => (onTelling = call),
    /** Another line answers nobody any more, and is told of. The one before it is back, because two at once would be one incident. */
    endLine: async () => {
      await vi.waitFor(async () => expect(await readSubjects()).toEqual([...endedLines]), PATIENCE);
      deadLines.clear();
      // A portal shows that an incident is over before the database has it. What is told is there.
      await vi.waitFor(
        () => expect([...endedLines].filter((line) => !toldBack.has(line))).toEqual([]),
        PATIENCE,
      );
      await vi.waitFor(async () => expect(await readSubjects('open')).toEqual([]), PATIENCE);
      const line = `line${endedLines.size}`;
      endedLines.add(line);
      deadLines.add(line);
    },
    killPortal: async (killed: LivePortal) => {
      const exited = once(killed.process, 'exit');
      killed.process.kill('SIGKILL');
      await exited;
      portals[portals.indexOf(killed)] = await startPortal(killed.name);
    },
    killPostgres: async () => {
      await postgres?.kill();
      await postgres?.start();
      await perhapsDelaySyncs(postgres?.pids() ?? []);
    },
    /** Every channel was told of every line that has ended, under one id each, and there is one incident for each line. */
    expectEachToldOnce: async () => {
      const wanted = [...endedLines].flatMap((line) => CHANNELS.map((channel) => `${channel} ${line}`));
      const idsOf = (name: string) =>
        new Set(told.filter(({ channel, line }) => `${channel} ${line}` === name).map(({ id }) => id));
      await vi.waitFor(() => expect(wanted.filter((name) => idsOf(name).size === 0)).toEqual([]), PATIENCE);
      expect(wanted.filter((name) => idsOf(name).size > 1)).toEqual([]);
      for (const portal of portals) expect(await readSubjects('all', portal)).toEqual([...endedLines]);
    },
  };

  /** The lines that incidents are about, the oldest first. */
  async function readSubjects(
    which: 'all' | 'open' = 'all',
    portal = portals[0],
  ): Promise<readonly string[]> {
    const { incidents } = await ask<ConsoleIncidents>(
      portal ?? expect.fail('no portal'),
      CONSOLE_PATHS.incidents,
    );
    return incidents
      .filter(
        ({ subject, endedAt }) => endedLines.has(nameLine(subject)) && (which === 'all' || endedAt === null),
      )
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .map(({ subject }) => nameLine(subject));
  }

  async function startPortal(name: string): Promise<LivePortal> {
    const options: ServeOptions = {
      siteDir: site.dir,
      dataDir: join(dir, name),
      ...(database === undefined ? {} : { database }),
      opsToken: TOKEN,
      probeEveryMs: PROBE_EVERY_MS,
    };
    const child = await spawnFunction(SERVE_FOR_EVER, 'serveForEver', [options]);
    const ended = once(child, 'exit').then(() => []);
    const [urls] = (await Promise.race([once(child, 'message'), ended])) as Pick<
      LivePortal,
      'url' | 'opsUrl'
    >[];
    // It gives up if its disk does not answer within 5 s. A process manager starts it again.
    if (urls === undefined) return startPortal(name);
    if (child.pid !== undefined) await perhapsDelaySyncs([child.pid]);
    return { ...urls, name, process: child };
  }

  /**
   * Half of the processes wait longer each time that they wait for the disk. strace needs neither a compiler nor root. It starts after
   * PostgreSQL has recovered, because that waits once for each table.
   */
  async function perhapsDelaySyncs(pids: readonly number[]): Promise<void> {
    if (random() < 0.5 || pids.length === 0) return;
    const delay = `inject=fsync,fdatasync:delay_enter=${SYNC_DELAY_MS * 1_000}`;
    const args = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', delay];
    spawn(STRACE, [...args, ...pids.flatMap((pid) => ['-p', String(pid)])], { stdio: 'ignore' });
    await vi.waitFor(() => expect(pids.filter((pid) => !isTraced(pid))).toEqual([]), PATIENCE);
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, type, subject } = (await json(request)) as { id: string; type: string; subject: string };
    if (type === 'opened') told.push({ channel: request.url?.slice(1) ?? '', line: nameLine(subject), id });
    if (type === 'resolved') toldBack.add(nameLine(subject));
    onTelling();
    await wait(TAKING_MS);
    response.end();
  }
}

function describeSite(linePort: number, receiverPort: number) {
  const hosts = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `http://${name}${index}.localhost:${linePort}`);
  return {
    locales: ['zh-CN'],
    monitoring: { intakeUrl: 'self' },
    limits: { apiPerMinute: 100_000 },
    // Each line is ended once. Three stay.
    lines: { marker: MARKER, hosts: hosts('line', KILLS.PostgreSQL + 3), fallback: hosts('backup', 4) },
    alerts: {
      confirm: { everySeconds: 1, bad: 2, good: 2, calmSeconds: 1 },
      channels: CHANNELS.map((name) => ({
        name,
        kind: 'webhook',
        url: `http://127.0.0.1:${receiverPort}/${name}`,
      })),
      rules: [{ when: ['line-down'], to: CHANNELS }],
    },
  };
}

function draw<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] ?? expect.fail('there is nothing to draw');
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port; // It listens on a port, not on a pipe.
}

function nameLine(host: string | undefined): string {
  return /(?:line|backup)\d+/.exec(host ?? '')?.[0] ?? '';
}

function answerAsLine(
  { headers, socket }: IncomingMessage,
  response: ServerResponse,
  dead: ReadonlySet<string>,
): void {
  if (dead.has(nameLine(headers.host))) return void socket.destroy();
  const allowed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' };
  response.writeHead(200, { Server: MARKER, ...allowed }).end();
}

function isTraced(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/status`, 'utf8').includes('TracerPid:\t0\n');
  } catch {
    return true; // It has ended.
  }
}

/** The numbers and the reasons of all versions but the first, newest first. */
async function readVersions(portal: LivePortal): Promise<readonly (readonly [number, string])[]> {
  const { versions } = await ask<{ versions: readonly DeskVersion[] }>(portal, DESK_PATHS.versions);
  return versions.slice(0, -1).map(({ number, why }) => [number, why]);
}

async function readPeople(portal: LivePortal) {
  const { people } = await ask<ConsolePeople>(portal, PEOPLE_PATHS.people);
  return new Map(people.map(({ name, role }) => [name, role]));
}

/** All of these can be played, none is there twice, and the sums of sessions and segments fit. */
async function expectSegments(portal: LivePortal, wanted: ReadonlySet<number>): Promise<void> {
  const sessions = [...new Set([...wanted].map(sessionOf))];
  const played: number[] = [];
  for (const session of sessions) {
    const numbers = await readReplay(portal, session);
    const { views } = await ask<SessionList['sessions'][number]>(
      portal,
      `${RECORDING_PATHS.sessions}/${session}`,
    );
    expect(views.map(({ segments }) => segments.kept)).toEqual([numbers.length]);
    played.push(...numbers);
  }
  expect(played).toEqual([...new Set(played)].toSorted((one, other) => one - other));
  const kept = new Set(played);
  expect([...wanted].filter((number) => !kept.has(number))).toEqual([]);
}

/** The audit log has each invitation once, apart from tries of which nobody knew whether they were made. */
async function expectNoSecondNote(portal: LivePortal): Promise<void> {
  const { opsUrl } = portal;
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const lines = await (await fetch(`${opsUrl}${PEOPLE_PATHS.auditLines}`, { headers })).text();
  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);
  const invited = entries.filter(({ action, isUncertain }) => action === 'invited' && !isUncertain);
  expect(invited.length).toBeGreaterThan(0);
  expect(new Set(invited.map(({ to }) => to)).size).toBe(invited.length);
}
