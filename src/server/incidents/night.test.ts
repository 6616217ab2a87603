import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { countReport } from '../learning/count-report.ts';
import { addCounts, createCounts } from '../learning/counts.ts';
import { createHistory } from '../learning/create-history.ts';
import { createKnowledge, foldWindow } from '../learning/knowledge.ts';
import { takeSteps } from '../process/create-step-watch.ts';
import { type LineState, countCheck, findCondition, isNothingReached } from '../lines/line-state.ts';
import { createLineTable } from '../site/create-line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import {
  type TestKeeper,
  type TestWorld,
  createTestKeeper,
  createTestWorld,
} from '../testing/test-incidents.ts';
import { createLineGrouper } from './create-line-grouper.ts';
import { createObserver } from './create-observer.ts';

const SECOND_MS = 1_000;
const CONFIRMATION = { everySeconds: 5, bad: 3, good: 2 };
const PROBE_EVERY_S = 30;
const HOSTS = Array.from({ length: 10 }, (_, index) => `line${index}.example`);
const BACKUPS = Array.from({ length: 4 }, (_, index) => `backup${index}.example`);

let dataDir: string;
let database: Database;
let world: TestWorld;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-night-'));
  database = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  world = createTestWorld();
});

afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Night = {
  /** The hosts that answer nobody. */
  readonly dead: Set<string>;
  readonly keeper: TestKeeper;
  /** Lets some seconds pass: the server checks its lines, visitors come, and incidents are followed. */
  readonly pass: (seconds: number, stepSeconds?: number) => Promise<void>;
  /** What each channel got since the last call. */
  readonly messages: () => readonly string[];
};

/** A portal whose watch, judge, incidents and rules are the real ones, by a clock that the test moves. */
function beginNight({ visitorsPerSecond = 1, seed = 1 } = {}): Night {
  const random = createRandom(seed);
  const dead = new Set<string>();
  const lines = createLineTable({
    hosts: HOSTS.map((host) => ({ host, noWWW: false, drain: false, maintenance: [] })),
    fallback: BACKUPS,
  } as unknown as Parameters<typeof createLineTable>[0]); // The rest of the settings is about pages.
  const site = { lines, config: { maintenance: [], alerts: undefined } } as unknown as PublishedSite; // What is asked of it.
  const all = [...lines.lines, ...lines.backups];
  const states = new Map<string, LineState>();
  const checkAt = new Map(
    all.map(({ id }, index) => [id, world.clock + (index % PROBE_EVERY_S) * SECOND_MS]),
  );
  const history = createHistory();
  const knowledge = createKnowledge(
    lines.lines.map(({ id }) => id),
    lines.lines.map(() => 0.1),
    world.clock,
  );
  const observer = createObserver(() => world.clock);
  const groupLines = createLineGrouper();
  const sources = {
    site: () => site,
    siteRecord: () => ({ publishedAt: 0, refusal: undefined }),
    steering: { knowledge: () => knowledge },
    measurements: { history },
    lineWatch: {
      states: () => states,
      cutOff: () => (isNothingReached([...states.values()]) ? ('visitors' as const) : undefined),
    },
    replicas: { replicas: () => [] },
    database,
    dataFolder: () => ({ isUp: true, since: 0 }),
    missing: () => undefined,
  };
  const keeper = createTestKeeper(world, database, {
    observe: () => observer.observe(sources),
    groupLines: () => groupLines(sources),
  });
  let counts = createCounts();
  let read = 0;
  let foldAt = world.clock + 10_000;

  return {
    dead,
    keeper,
    pass: async (seconds, stepSeconds = 1) => {
      for (let second = 0; second < seconds; second += stepSeconds) {
        world.clock += (stepSeconds - 1) * SECOND_MS;
        for (const line of all) if ((checkAt.get(line.id) ?? 0) <= world.clock) check(line);
        for (let left = visitorsPerSecond; left > 0; left -= 1) visit();
        if (world.clock >= foldAt) {
          foldAt = world.clock + 10_000;
          takeSteps(foldWindow(knowledge, counts, world.clock));
          history.addWindow(counts, world.clock);
          counts = createCounts();
        }
        await keeper.run(1);
      }
    },
    messages: () => {
      const news = world.taken.slice(read).map((each) => each.split(' ', 2).join(' '));
      read = world.taken.length;
      return news;
    },
  };

  function check({ id, host }: (typeof all)[number]): void {
    const last = states.get(id);
    const isDead = dead.has(host);
    const address = {
      address: `https://${host}`,
      reply: isDead
        ? ({ kind: 'timeout' } as const)
        : ({ kind: 'answer', status: 200, headers: {}, timeMs: 5, certificate: undefined } as const),
      faults: isDead ? [{ kind: 'timeout' } as const] : [],
      pageFault: undefined,
    };
    const condition = findCondition([address], undefined);
    const counted = countCheck(last, condition, { at: world.clock, confirmation: CONFIRMATION });
    const role = lines.backups.some((backup) => backup.id === id) ? 'backup' : 'line';
    states.set(id, {
      host,
      role,
      seen: condition,
      health: undefined,
      checkedAt: world.clock,
      addresses: [address],
      ...counted,
    });
    const isSettled = counted.settled === condition;
    checkAt.set(id, world.clock + (isSettled ? PROBE_EVERY_S : CONFIRMATION.everySeconds) * SECOND_MS);
  }

  /** A visitor tries four lines and the backups. Who finds one enters it. */
  function visit(): void {
    const tried = [...lines.lines].toSorted(() => random() - 0.5).slice(0, 4);
    const handed = [...tried, ...lines.backups];
    const network = Math.floor(random() * 200);
    const report = {
      area: `C${network % 8}/AS${network}`.replace(
        /^C(\d)/,
        (_, digit: string) => `G${'ABCDEFGH'[Number(digit)]}`,
      ),
      prefix: `198.51.${Math.floor(random() * 200)}`,
      lineIds: handed.map(({ id }) => id),
      results: handed.map(({ host }, index) =>
        dead.has(host)
          ? { index, outcome: 'timeout' as const, time: 5_000 }
          : { index, outcome: 'valid' as const, time: 90 },
      ),
    };
    const entered = report.results.findIndex(({ outcome }) => outcome === 'valid');
    addCounts(counts, countReport({ ...report, entered: entered === -1 ? null : entered }));
  }
}

test('a line that dies is told within 45 seconds, and its end once', async () => {
  const { dead, pass, messages } = beginNight();
  await pass(120);
  dead.add('line3.example');
  await pass(45);
  expect(messages()).toEqual(['night opened', 'office opened']);
  await pass(300);
  dead.clear();
  await pass(180);
  expect(messages()).toEqual(['night resolved', 'office resolved']);
});

test('fourteen hosts die, and all visitors fail: two messages a channel, the second one critical after 30 s, and one at the end', async () => {
  const { dead, pass, messages, keeper } = beginNight();
  await pass(120);
  for (const host of [...HOSTS, ...BACKUPS]) dead.add(host);
  await pass(30);
  expect(keeper.listOpen()).toMatchObject([{ kind: 'visitors-lost', severity: 'critical' }]);
  await pass(900);
  const told = messages();
  for (const channel of ['night', 'office'])
    expect(told.filter((each) => each.startsWith(channel)).length).toBeLessThanOrEqual(2);
  expect(keeper.listOpen()).toHaveLength(1);
  dead.clear();
  await pass(400);
  expect(messages()).toEqual(['night resolved', 'office resolved']);
  expect(keeper.listOpen()).toEqual([]);
});

test('without visitors, half of the lines that die are one incident, and told twice at most', async () => {
  const { dead, pass, messages, keeper } = beginNight({ visitorsPerSecond: 0 });
  await pass(60);
  for (const host of HOSTS.slice(0, 5)) dead.add(host);
  await pass(300);
  expect(messages().filter((each) => each.startsWith('night')).length).toBeLessThanOrEqual(2);
  const [incident, ...others] = keeper.listOpen();
  expect([incident?.parts?.length, others]).toEqual([5, []]);
});

test('some of the lines come back: the channel learns which remain, and then the end', async () => {
  const { dead, pass, messages } = beginNight();
  await pass(60);
  for (const host of HOSTS.slice(0, 3)) dead.add(host);
  await pass(120);
  messages();
  dead.delete('line0.example');
  await pass(400);
  expect(messages()).toEqual(['night eased', 'office eased']);
  dead.clear();
  await pass(400);
  expect(messages()).toEqual(['night resolved', 'office resolved']);
});

const FAULTS = tenthOf(200);

test(`${FAULTS} random faults: each is told, none about a line that is well, and no message twice`, async () => {
  const random = createRandom(7);
  const { dead, pass, keeper } = beginNight({ seed: 7 });
  for (let fault = 0; fault < FAULTS; fault += 1) {
    const count = random() < 0.8 ? 1 : 1 + Math.floor(random() * HOSTS.length);
    const hosts = [...HOSTS].toSorted(() => random() - 0.5).slice(0, count);
    for (const host of hosts) dead.add(host);
    await pass(60);
    const named = new Set(
      keeper.listOpen().flatMap(({ subject, parts }) => parts?.map((part) => part.subject) ?? [subject]),
    );
    expect(hosts.filter((host) => !named.has(host))).toEqual([]);
    expect([...named].filter((host) => host !== '' && !dead.has(host))).toEqual([]);
    dead.clear();
    // An incident that came back within ten minutes needs ten minutes of calm.
    await pass(40);
    await pass(860, 10);
    expect(keeper.listOpen()).toEqual([]);
  }
  const ids = world.taken.map((each) => each.split(' ').toSpliced(1, 1).join(' '));
  expect(new Set(ids).size).toBe(ids.length);
  const count = (type: string) => world.taken.filter((each) => each.startsWith(`night ${type}`)).length;
  // Visitors may lose one line of several before the server sees all of them down: that is told first.
  expect(count('opened')).toBeGreaterThanOrEqual(FAULTS);
  expect(world.taken.filter((each) => each.startsWith('night')).length).toBeLessThan(3 * FAULTS);
  expect(count('resolved')).toBe(FAULTS);
});
