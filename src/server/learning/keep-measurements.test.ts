import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { isSoak } from '../../engine/testing/tenth-of.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Database } from '../store/database.ts';
import { openLastGood } from '../store/open-last-good.ts';
import { openDatabase } from '../store/open-database.ts';
import { type Disturbance, disturbDatabase } from '../testing/disturb-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { createStepWatch, takeSteps } from '../process/create-step-watch.ts';
import { type Steering, createSteering } from './create-steering.ts';
import { type MeasurementKeeper, keepMeasurements } from './keep-measurements.ts';
import { encodeSnapshot } from './snapshot.ts';

const LINES = Array.from({ length: 8 }, (_, line) => ({ id: `line-${line}`, weight: 1 }));
const AREA = 'GB/AS1';
/** Of three portals, for minutes. Each takes two seconds of a core. */
const LOSSY_WORLDS = isSoak() ? 50 : 2;
/** The start of a minute, so that what a test counts in ten seconds is counted in one. */
const NOON = Date.UTC(2026, 10, 18, 12);

/** One portal of several, on one database. */
type Portal = {
  readonly keeper: MeasurementKeeper;
  readonly steering: Steering;
  /** Its way to the database. */
  readonly link: { fault: ReturnType<Disturbance['fault']> };
  /** What it was told to watch has changed. */
  readonly hear: (isRewound?: boolean) => Promise<void>;
  readonly logged: readonly string[];
  /** How many reports were in the windows that it has told others of. */
  readonly countTold: () => number;
  readonly readMetrics: () => Promise<string>;
};

type StartOptions = {
  /** By how much its clock is ahead of the database's. */
  readonly skewMs?: number;
  readonly fault?: Portal['link']['fault'];
  readonly maxWaitingCells?: number;
  /** How much it remembers. */
  readonly memory?: { readonly maxVotes: number; readonly maxAreas: number };
  /** True if it hears of changes by itself. */
  readonly isListening?: boolean;
};

/** A database, and a clock for it and for its portals. */
type World = {
  readonly clock: { now: number };
  readonly database: Database;
  readonly start: (options?: StartOptions) => Promise<Portal>;
  /** Lets seconds pass, in each of which every portal does its work. */
  readonly pass: (seconds: number, ...portals: readonly Portal[]) => Promise<void>;
  /** Ends its connections, as the end of the test does. */
  readonly close: () => Promise<void>;
};

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

async function createWorld(engine: string = 'SQLite'): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-learning-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const url = engine === 'PostgreSQL' ? await server.createDatabase() : undefined;
  const databases: Database[] = [];
  const open = async (): Promise<Database> => {
    const opened = await openDatabase({ dataDir, url, log: pino({ level: 'silent' }) });
    databases.push(opened);
    return opened;
  };
  const close = async (): Promise<void> => {
    for (const database of databases.splice(0)) await database.close();
  };
  onTestFinished(close);
  const clock = { now: NOON };
  return {
    clock,
    database: await open(),
    start: async ({ skewMs = 0, fault, maxWaitingCells, memory, isListening = false } = {}) => {
      const link: Portal['link'] = { fault };
      const opened = await open();
      const database = disturbDatabase(opened, { now: () => clock.now, fault: () => link.fault });
      const now = (): number => clock.now + skewMs;
      const steering = createSteering({ random: Math.random, now, memory });
      steering.setLines(LINES, 'measured');
      const metrics = createMetrics();
      const logged: string[] = [];
      let told = 0;
      const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
      const keeper = await keepMeasurements({
        database: isListening ? { ...database, watch: opened.watch } : database,
        lastGood: openLastGood({ dataDir, database: { isShared: true, brand: 'main' }, log }),
        steering,
        metrics,
        steps: createStepWatch({ metrics, log }),
        log,
        now,
        onWindow: ({ site }) => void (told += site.reports),
        ...(maxWaitingCells === undefined ? {} : { maxWaitingCells }),
      });
      const hear = (isRewound = false): Promise<void> => database.tell({ isRewound });
      return {
        keeper,
        steering,
        link,
        hear,
        logged,
        countTold: () => told,
        readMetrics: () => metrics.registry.metrics(),
      };
    },
    pass: async (seconds, ...portals) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.now += 1_000;
        for (const { keeper, hear } of portals) {
          await keeper.foldWindows();
          await hear();
        }
      }
    },
    close,
  };
}

/** The first line fails, the second answers. */
function report({ keeper }: Portal, times = 20): void {
  for (let sent = 0; sent < times; sent += 1) {
    keeper.countHandOut(['line-1'], [0.37]);
    keeper.countReport({
      area: AREA,
      prefix: `198.51.${sent}`,
      lineIds: ['line-0', 'line-1'],
      results: [
        { index: 0, outcome: 'timeout', time: 99_999 },
        { index: 1, outcome: 'valid', time: 40 },
      ],
      entered: 1,
    });
  }
}

const reachOf = ({ steering }: Portal, line: number): number =>
  steering.explain(AREA)[line]?.reach ?? Number.NaN;

/** How many reports a portal has learned from. */
const countLearned = ({ keeper }: Portal, now: number): number =>
  keeper.history.readSite(now + 60_000).reduce((sum, { reports }) => sum + reports, 0);

/** Everything that a portal knows, in bytes. */
const encode = ({ steering, keeper }: Portal): string =>
  takeSteps(
    encodeSnapshot({ seq: 0, knowledge: steering.knowledge(), history: keeper.history.save() }),
  ).toString('base64');

const count = async ({ database }: World, table: string): Promise<number> =>
  (await database.read<{ rows: number }>(`select count(*) as rows from ${table}`))[0]?.rows ?? 0;

describe('a portal alone', () => {
  test('learns from a window when it is over', async () => {
    const world = await createWorld();
    const portal = await world.start();
    report(portal);
    await world.pass(9, portal);
    expect(reachOf(portal, 0)).toBeCloseTo(0.9);
    await world.pass(1, portal);
    expect(reachOf(portal, 0)).toBeLessThan(0.15);
    expect(reachOf(portal, 1)).toBeGreaterThan(0.95);
    expect(await portal.readMetrics()).toContain('waypost_measurement_windows_total 1');
  });

  test('remembers after a restart all that it has counted before', async () => {
    const world = await createWorld();
    const before = await world.start();
    report(before);
    before.keeper.countHandOut(['line-1']);
    await world.pass(12, before);
    report(before, 3);
    await before.keeper.close();
    const after = await world.start();
    await world.pass(10, after);
    expect(countLearned(after, world.clock.now)).toBe(23);
    const [minute] = after.keeper.history.readLine('line-1', world.clock.now);
    expect(minute).toMatchObject({ handedOut: 24, tried: 23, reached: 23 });
  });

  test('forgets in a crash no more than the window that was open', async () => {
    const world = await createWorld();
    const before = await world.start();
    report(before);
    await world.pass(12, before);
    report(before, 3);
    const after = await world.start();
    expect(encode(after)).toBe(encode(before));
  });

  test('goes on from a snapshot of a minute ago and the windows after it', async () => {
    const world = await createWorld();
    const before = await world.start();
    for (let windows = 0; windows < 8; windows += 1) {
      report(before, 1 + windows);
      await world.pass(10, before);
    }
    const [snapshot] = await world.database.read<{ seq: number }>('select seq from snapshots');
    expect(snapshot?.seq).toBe(6);
    expect(encode(await world.start())).toBe(encode(before));
  });

  test('keeps the windows of ten minutes, and no more', async () => {
    const world = await createWorld();
    const portal = await world.start();
    for (let windows = 0; windows < 90; windows += 1) {
      report(portal, 1);
      await world.pass(10, portal);
    }
    for (const table of ['windows', 'window_parts']) {
      expect(await count(world, table)).toBeGreaterThanOrEqual(60);
      expect(await count(world, table)).toBeLessThan(70);
    }
  });

  test.each([-3_600_000, 86_400_000])('learns on although its clock jumps by %d ms', async (jumpMs) => {
    const world = await createWorld();
    const portal = await world.start();
    for (let windows = 0; windows < 6; windows += 1) {
      report(portal, 3);
      await world.pass(10, portal);
      if (windows === 2) world.clock.now += jumpMs;
      if (windows === 3) world.clock.now -= jumpMs;
    }
    report(portal);
    await world.pass(10, portal);
    const { shares } = portal.steering.knowledge();
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(shares[1]).toBeGreaterThan(0.15);
    expect(reachOf(portal, 0)).toBeLessThan(0.15);
    expect(encode(await world.start())).toBe(encode(portal));
  });

  test('tells of a snapshot that cannot be read, and makes a new one', async () => {
    const world = await createWorld();
    const before = await world.start();
    report(before);
    await world.pass(10, before);
    await world.database.change("update snapshots set checksum = 1, bytes = 'damaged'");
    const after = await world.start();
    expect(after.logged).toEqual(['the snapshot of the measurements cannot be read: it is ignored']);
    expect(await after.readMetrics()).toContain('waypost_measurement_snapshots_total{event="refused"} 1');
    expect((await world.start()).logged).toEqual([]);
    expect(encode(await world.start())).toBe(encode(after));
  });

  test('leaves out what cannot be read of a window, and goes on', async () => {
    const world = await createWorld();
    const portal = await world.start();
    await world.database.change(
      "insert into window_parts (brand, id, written_at, counts) values ($brand, 'odd', 0, '{}')",
    );
    report(portal);
    await world.pass(10, portal);
    expect(portal.logged).toEqual(['the counts of a portal cannot be read, and are left out']);
    expect(reachOf(portal, 0)).toBeLessThan(0.15);
  });
});

describe.each(['SQLite', 'PostgreSQL'])('portals on one database: %s', (engine) => {
  test('know the same as one that starts much later, from the snapshot', async () => {
    const world = await createWorld(engine);
    const portals = [await world.start(), await world.start()];
    for (let windows = 0; windows < 20; windows += 1) {
      for (const portal of portals) report(portal, 1 + (windows % 3));
      await world.pass(10, ...portals);
    }
    const late = await world.start();
    await world.pass(12, late, ...portals);
    expect(portals.map(encode)).toEqual([encode(late), encode(late)]);
  });

  test('agree again after one has taken up a line later than the other', async () => {
    const world = await createWorld(engine);
    const [one, other] = [await world.start(), await world.start()];
    other.steering.setLines(LINES.slice(1), 'measured');
    report(one);
    await world.pass(14, one, other);
    other.steering.setLines(LINES, 'measured');
    expect(encode(one)).not.toBe(encode(other));
    for (let windows = 0; windows < 7; windows += 1) {
      report(one);
      await world.pass(10, one, other);
    }
    expect(encode(one)).toBe(encode(other));
  });

  test(`which are away for a while, or lose answers, forget the same and know the same to the last bit 20 s later, and lose no report: ${LOSSY_WORLDS} times`, async () => {
    for (let seed = 1; seed <= LOSSY_WORLDS; seed += 1) {
      const random = createRandom(seed);
      const draw = (most: number): number => Math.floor(random() * most);
      const world = await createWorld(engine);
      const portals: Portal[] = [];
      for (let number = 0; number < 3; number += 1) {
        portals.push(
          await world.start({ skewMs: draw(2_000) - 1_000, memory: { maxVotes: 60, maxAreas: 6 } }),
        );
      }
      let sent = 0;
      for (let step = 0; step < 40; step += 1) {
        for (const { keeper, link } of portals) {
          if (random() < 0.1) link.fault = ([undefined, undefined, 'away', 'answer-lost'] as const)[draw(4)];
          for (let reports = draw(4); reports > 0; reports -= 1) {
            const lineIds = [draw(8), draw(8)].map((line) => `line-${line}`);
            keeper.countHandOut(lineIds.slice(0, 1), [random()]);
            keeper.countReport({
              area: `${['GB', 'SG'][draw(2)]}/AS${draw(5)}`,
              prefix: `198.51.${draw(40)}`,
              lineIds,
              results: lineIds.map((_, index) => ({
                index,
                outcome: (['valid', 'open', 'timeout'] as const)[draw(3)] ?? 'valid',
                time: 20 + draw(3_000),
              })),
              entered: null,
            });
            sent += 1;
          }
        }
        await world.pass(1 + draw(6), ...portals);
      }
      for (const { link } of portals) link.fault = undefined;
      await world.pass(20, ...portals);
      const [known, ...others] = portals.map(encode);
      for (const other of others) expect(other === known, `seed ${seed}`).toBe(true);
      for (const portal of portals) expect(countLearned(portal, world.clock.now), `seed ${seed}`).toBe(sent);
      // PostgreSQL has room for 100 connections.
      await world.close();
    }
  });
});

test('portals learn from the sum of what all of them counted', async () => {
  const world = await createWorld('PostgreSQL');
  const [one, other] = [await world.start(), await world.start()];
  report(one, 5);
  report(other, 7);
  await world.pass(14, one, other);
  for (const portal of [one, other]) {
    expect(countLearned(portal, world.clock.now)).toBe(12);
    expect(await portal.readMetrics()).toContain('waypost_measurement_windows_total 1');
  }
  expect(encode(one)).toBe(encode(other));
});

test('a portal hears of a window that another one has sealed', async () => {
  const world = await createWorld('PostgreSQL');
  const [one, other] = [await world.start(), await world.start({ isListening: true })];
  report(one);
  await world.pass(14, one);
  await vi.waitFor(() => expect(reachOf(other, 0)).toBeLessThan(0.15), PATIENCE);
});

describe('while the database is away, a portal', () => {
  test('learns from its own visitors, and keeps what it has learned until all know it', async () => {
    const world = await createWorld('PostgreSQL');
    const [one, other] = [await world.start(), await world.start()];
    one.link.fault = 'away';
    report(one);
    report(other, 4);
    // The others have sealed a window by then, and the next one takes a while.
    await world.pass(15, one, other);
    expect(reachOf(one, 0)).toBeLessThan(0.15);
    expect(one.logged).toEqual(['the measurements cannot be kept for now']);
    expect(await one.readMetrics()).toContain('waypost_database_up 0');
    one.link.fault = undefined;
    for (let seconds = 0; seconds < 18; seconds += 1) {
      await world.pass(1, one, other);
      expect(reachOf(one, 0)).toBeLessThan(0.15);
    }
    expect(one.logged).toEqual([
      'the measurements cannot be kept for now',
      'the measurements are kept again',
    ]);
    expect(encode(one)).toBe(encode(other));
    expect(countLearned(other, world.clock.now)).toBe(24);
  });

  test('tells of each window once, although it learns again from those after the snapshot', async () => {
    const world = await createWorld();
    const portal = await world.start();
    for (let windows = 0; windows < 4; windows += 1) {
      report(portal, 3);
      await world.pass(10, portal);
    }
    portal.link.fault = 'away';
    report(portal, 1);
    await world.pass(10, portal);
    portal.link.fault = undefined;
    await world.pass(20, portal);
    expect([countLearned(portal, world.clock.now), portal.countTold()]).toEqual([13, 13]);
  });

  test('says so, also if it has nothing to write', async () => {
    const world = await createWorld('PostgreSQL');
    const portal = await world.start();
    await world.pass(1, portal);
    expect(await portal.readMetrics()).toContain('waypost_database_up 1');
    portal.link.fault = 'away';
    await world.pass(1, portal);
    expect(await portal.readMetrics()).toContain('waypost_database_up 0');
  });

  test('starts from the last good copy in its data folder', async () => {
    const world = await createWorld('PostgreSQL');
    const before = await world.start();
    for (let windows = 0; windows < 7; windows += 1) {
      report(before);
      await world.pass(10, before);
    }
    const after = await world.start({ fault: 'away' });
    expect(reachOf(after, 0)).toBeLessThan(0.15);
    expect(after.steering.pick(AREA)).toHaveLength(4);
  });

  test('counts a part whose answer was lost once, however late it writes it again', async () => {
    const world = await createWorld();
    const [one, other] = [await world.start(), await world.start()];
    report(one, 5);
    report(other, 1);
    one.link.fault = 'answer-lost';
    await world.pass(10, one, other);
    one.link.fault = 'away';
    // The window with that part is removed from the database meanwhile.
    world.clock.now += 11 * 60_000;
    for (let windows = 0; windows < 6; windows += 1) {
      report(other, 1);
      await world.pass(10, one, other);
    }
    const [oldest] = await world.database.read<{ seq: number }>('select min(seq) as seq from window_parts');
    expect(oldest?.seq).toBeGreaterThan(1);
    one.link.fault = undefined;
    await world.pass(20, one, other);
    expect([one, other].map((portal) => countLearned(portal, world.clock.now))).toEqual([12, 12]);
  });

  test('writes what it has counted meanwhile in parts of 5,000 observations', async () => {
    const world = await createWorld();
    const [one, other] = [await world.start({ fault: 'away' }), await world.start()];
    const results = [{ index: 0, outcome: 'valid', time: 40 } as const];
    const lineIds = ['line-1'];
    await world.pass(10, one);
    for (let visitor = 0; visitor < 12_000; visitor += 1) {
      const area = `GB/AS${visitor}`;
      one.keeper.countReport({ area, prefix: '198.51.1', lineIds, results, entered: 0 });
    }
    await world.pass(10, one);
    one.link.fault = undefined;
    await world.pass(20, one, other);
    expect(await count(world, 'window_parts')).toBe(3);
    expect([one, other].map((portal) => countLearned(portal, world.clock.now))).toEqual([12_000, 12_000]);
    expect(encode(one)).toBe(encode(other));
  });

  test('counts what it drops when too much waits', async () => {
    const world = await createWorld('PostgreSQL');
    const portal = await world.start({ fault: 'away', maxWaitingCells: 100 });
    const results = [{ index: 0, outcome: 'valid', time: 40 } as const];
    for (let windows = 0; windows < 4; windows += 1) {
      for (let visitor = 0; visitor < 100; visitor += 1) {
        const area = `GB/AS${visitor}`;
        portal.keeper.countReport({ area, prefix: '198.51.1', lineIds: ['line-1'], results, entered: 0 });
      }
      await world.pass(10, portal);
    }
    // The first part, which may be on its way, holds one window, and the second one another.
    expect(await portal.readMetrics()).toContain('waypost_measurement_counts_lost_total 2');
  });
});

test('a database whose history went back counts, whatever portals knew', async () => {
  const world = await createWorld('PostgreSQL');
  const [one, other] = [await world.start(), await world.start()];
  report(one);
  await world.pass(14, one, other);
  for (const table of ['windows', 'window_parts']) await world.database.change(`delete from ${table}`);
  for (const portal of [one, other]) await portal.hear(true);
  report(other, 3);
  await world.pass(14, one, other);
  expect(encode(one)).toBe(encode(other));
  expect(countLearned(one, world.clock.now)).toBe(3);
  expect(one.countTold()).toBe(23);
});
