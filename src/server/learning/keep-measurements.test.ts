import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { type Redis, type RedisClient, openRedis } from '../redis/open-redis.ts';
import { type Steering, createSteering } from './create-steering.ts';
import { startRedis } from '../testing/start-redis.ts';
import { type MeasurementKeeper, keepMeasurements } from './keep-measurements.ts';
import type { MeasurementStore } from './store/measurement-store.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { createRedisStore } from './store/redis-store.ts';
import { unpackSnapshot } from './snapshot.ts';

const LINES = Array.from({ length: 8 }, (_, line) => ({ id: `line-${line}`, weight: 1 }));
const AREA = 'GB/AS1';

type Replica = {
  readonly store: MeasurementStore;
  readonly steering: Steering;
  readonly keeper: MeasurementKeeper;
  readonly logged: readonly string[];
  readonly readMetrics: () => Promise<string>;
};

async function startReplica(store: MeasurementStore, now = Date.now): Promise<Replica> {
  const steering = createSteering({ random: Math.random, now: Date.now });
  steering.setLines(LINES, 'measured');
  const metrics = createMetrics();
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const keeper = await keepMeasurements({ store, steering, metrics, log, now });
  return { store, steering, keeper, logged, readMetrics: () => metrics.registry.metrics() };
}

/** The first line fails, the second answers. */
function report({ keeper }: Pick<Replica, 'keeper'>, times = 20): void {
  for (let sent = 0; sent < times; sent += 1) {
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

const reachOf = ({ steering }: Pick<Replica, 'steering'>, line: number): number =>
  steering.explain(AREA)[line]?.reach ?? Number.NaN;

describe('in memory', () => {
  let dataDir: string;
  let time: number;
  const openStore = (): MeasurementStore => createMemoryStore({ dataDir, now: () => time });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'waypost-keep-'));
    // At the start of a minute, so that what a test counts in ten seconds is counted in one.
    time = Date.now() - (Date.now() % 60_000);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test('picks change when a window closes', async () => {
    const replica = await startReplica(openStore(), () => time);
    report(replica);
    await replica.keeper.foldWindows();
    expect(reachOf(replica, 0)).toBeCloseTo(0.9);
    time += 10_000;
    await replica.keeper.foldWindows();
    expect(reachOf(replica, 0)).toBeLessThan(0.15);
    expect(reachOf(replica, 1)).toBeGreaterThan(0.95);
    expect(await replica.readMetrics()).toContain('waypost_measurement_windows_total 1');
  });

  test('a restart remembers everything that was counted before the stop', async () => {
    const before = await startReplica(openStore(), () => time);
    report(before);
    time += 10_000;
    await before.keeper.foldWindows();
    report(before, 3);
    await before.keeper.close();
    const after = await startReplica(openStore(), () => time);
    expect(rounded(after.steering.explain(AREA))).toEqual(rounded(before.steering.explain(AREA)));
    expect(after.keeper.history.readLine('line-1', time)).toEqual(
      before.keeper.history.readLine('line-1', time),
    );
    expect(after.keeper.history.readLine('line-1', time)[0]).toMatchObject({ tried: 23, reached: 23 });
  });

  test('a stop just after the end of a window forgets neither its reports nor its hand-outs', async () => {
    const before = await startReplica(openStore(), () => time);
    report(before, 3);
    before.keeper.countHandedOut('line-1');
    time += 10_000;
    await before.keeper.close();
    const after = await startReplica(openStore(), () => time);
    expect(after.keeper.history.readLine('line-1', time)[0]).toMatchObject({ handedOut: 1, tried: 3 });
  });

  test('a window that has the report of a visitor has their hostname call, too', async () => {
    const replica = await startReplica(openStore(), () => time);
    replica.keeper.countHostnameCall();
    replica.keeper.countHandedOut('line-1');
    report(replica, 1);
    time += 10_000;
    await replica.keeper.foldWindows();
    expect(replica.keeper.history.readSite(time)[0]).toMatchObject({ hostnameCalls: 1, reports: 1 });
    expect(replica.keeper.history.readLine('line-1', time)[0]).toMatchObject({ handedOut: 1, tried: 1 });
  });

  test('a crash forgets no more than the window that was open', async () => {
    const before = await startReplica(openStore(), () => time);
    report(before);
    time += 10_000;
    await before.keeper.foldWindows();
    report(before, 3);
    const after = await startReplica(openStore(), () => time);
    expect(rounded(after.steering.explain(AREA))).toEqual(rounded(before.steering.explain(AREA)));
  });

  test('a clock that is set back an hour, before a restart or while running, spoils nothing', async () => {
    const first = await startReplica(openStore(), () => time);
    report(first);
    time += 10_000;
    await first.keeper.foldWindows();
    await first.keeper.close();
    time -= 3_600_000;
    const replica = await startReplica(openStore(), () => time);
    for (let window = 0; window < 5; window += 1) {
      report(replica, 3);
      replica.keeper.countVisit('line-1', 3);
      time += window === 2 ? -3_600_000 : 10_000;
      await replica.keeper.foldWindows();
    }
    expect(replica.keeper.folds()).toBe(6);
    const { shares } = replica.steering.knowledge();
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    // Everybody is sent to the second line, and its share goes on growing.
    expect(shares[1]).toBeGreaterThan(first.steering.knowledge().shares[1] ?? 1);
    expect(reachOf(replica, 1)).toBeGreaterThan(0.5);
  });

  test('a snapshot that is cut off or is something else is told of, and ignored', async () => {
    const before = await startReplica(openStore(), () => time);
    report(before);
    await before.keeper.close();
    const path = join(dataDir, 'measurements.snapshot');
    const whole = await readFile(path);
    for (const bytes of [whole.subarray(0, -1), Buffer.from('not a snapshot'), Buffer.alloc(0)]) {
      await writeFile(path, bytes);
      const after = await startReplica(openStore(), () => time);
      expect(reachOf(after, 0)).toBeCloseTo(0.9);
      expect(after.logged).toEqual(['the snapshot of the measurements cannot be read: it is ignored']);
      expect(await after.readMetrics()).toContain('waypost_measurement_snapshots_total{event="refused"} 1');
    }
  });

  test('a clock that is a day ahead for a while stops no learning, before a restart or after', async () => {
    const first = await startReplica(openStore(), () => time);
    time += 86_400_000;
    report(first);
    time += 10_000;
    await first.keeper.foldWindows();
    time -= 86_400_000;
    report(first);
    time += 10_000;
    await first.keeper.foldWindows();
    expect(first.keeper.folds()).toBe(2);
    await first.keeper.close();
    const second = await startReplica(openStore(), () => time);
    report(second);
    time += 10_000;
    await second.keeper.foldWindows();
    expect(second.keeper.folds()).toBe(3);
    expect(reachOf(second, 0)).toBeLessThan(0.15);
  });

  test('a disk that hangs stops no learning, and is written to again when it is well', async () => {
    const pipe = join(dataDir, 'measurements.snapshot.tmp');
    await promisify(execFile)('mkfifo', [pipe]);
    const store = createMemoryStore({ dataDir, now: () => time, diskTimeoutMs: 50 });
    const replica = await startReplica(store, () => time);
    for (let window = 0; window < 3; window += 1) {
      report(replica);
      time += 10_000;
      await replica.keeper.foldWindows();
    }
    expect([replica.keeper.folds(), replica.keeper.storeState().isUp]).toEqual([3, false]);
    expect(replica.logged).toEqual(['the measurements cannot be kept for now']);
    await expect(store.saveSnapshot({ folds: 4, bytes: Buffer.alloc(1) })).rejects.toThrow(
      'is still being written',
    );
    // Whoever reads lets the write that hangs go on, to its end.
    await readFile(pipe);
    await rm(pipe);
    await vi.waitFor(async () => {
      await replica.keeper.foldWindows();
      expect(replica.logged.at(-1)).toBe('the measurements are kept again');
    });
    expect((await unpackSnapshot(await readFile(join(dataDir, 'measurements.snapshot')))).folds).toBe(3);
  });

  test('a data folder that cannot be written to costs the snapshots, and nothing else', async () => {
    await rm(dataDir, { recursive: true });
    await writeFile(dataDir, 'a file in its place');
    const replica = await startReplica(openStore(), () => time);
    for (let window = 0; window < 3; window += 1) {
      report(replica);
      time += 10_000;
      await replica.keeper.foldWindows();
    }
    expect(reachOf(replica, 0)).toBeLessThan(0.15);
    expect(replica.logged).toEqual(['the measurements cannot be kept for now']);
    expect(await replica.readMetrics()).toContain('waypost_measurement_store_up 0');
  });
});

describe('through Redis', () => {
  async function startReplicas(count: number, windowMs: number) {
    const server = await startRedis();
    onTestFinished(server.close);
    const start = async (): Promise<Replica> => {
      const redis = await openRedis({ url: server.url, log: pino({ level: 'silent' }) });
      onTestFinished(redis.close);
      const store = createRedisStore({
        redis,
        prefix: 'waypost:{test}',
        windowMs,
        onLoss: () => undefined,
      });
      return startReplica(store);
    };
    return { server, start, replicas: await Promise.all(Array.from({ length: count }, start)) };
  }

  test('windows are folded again after the clock of Redis was a day ahead, and nothing is forgotten', async () => {
    const server = await startRedis();
    onTestFinished(server.close);
    const clock = { aheadSeconds: 0 };
    const start = async (): Promise<Replica> => {
      const redis = shiftClock(await openRedis({ url: server.url, log: pino({ level: 'silent' }) }), clock);
      onTestFinished(redis.close);
      const store = createRedisStore({
        redis,
        prefix: 'waypost:{test}',
        windowMs: 100,
        onLoss: () => undefined,
      });
      return startReplica(store);
    };
    /** Reports, and looks until a window was folded. */
    const learn = async (replica: Replica): Promise<void> => {
      const before = replica.keeper.folds();
      report(replica);
      await lookUntil([replica], () => expect(replica.keeper.folds()).toBeGreaterThan(before));
    };
    const replica = await start();
    await learn(replica);
    clock.aheadSeconds = 86_400;
    await learn(replica);
    await replica.keeper.close();
    const ahead = (await unpackSnapshot((await replica.store.loadSnapshot()) ?? Buffer.alloc(0)))
      .windowNumber;
    expect(ahead * 100).toBeGreaterThan(Date.now() + 80_000_000);
    clock.aheadSeconds = 0;
    await learn(replica);
    expect(reachOf(replica, 0)).toBeLessThan(0.15);
    expect(replica.steering.knowledge().at).toBeLessThan(Date.now() + 60_000);
    // One that starts from the snapshot of that time.
    await learn(await start());
  });

  test('a snapshot in Redis that claims to know most and cannot be read is replaced', async () => {
    const { server, replicas } = await startReplicas(1, 100);
    const [replica] = replicas as [Replica];
    const redis = await openRedis({ url: server.url, log: pino({ level: 'silent' }) });
    onTestFinished(redis.close);
    await redis.ask((client) =>
      client.hSet('waypost:{test}:snapshot', {
        folds: 999_999,
        bytes: Buffer.from('damaged').toString('base64'),
      }),
    );
    report(replica);
    await lookUntil(replicas, () => expect(replica.keeper.folds()).toBeGreaterThan(0));
    await replica.keeper.close();
    const kept = await unpackSnapshot((await replica.store.loadSnapshot()) ?? Buffer.alloc(0));
    expect(kept.folds).toBe(replica.keeper.folds());
    expect(replica.logged).toContain('the snapshot of the measurements cannot be read: it is ignored');
  });

  const lookUntil = (replicas: readonly Replica[], check: () => void): Promise<void> =>
    vi.waitFor(
      async () => {
        await Promise.all(replicas.map(({ keeper }) => keeper.foldWindows()));
        check();
      },
      { interval: 20 },
    );

  test('a report at one replica changes the picks of another when its window has ended', async () => {
    const { replicas } = await startReplicas(2, 500);
    const [one, other] = replicas as [Replica, Replica];
    report(one);
    await one.keeper.foldWindows();
    await lookUntil([other], () => expect(reachOf(other, 0)).toBeLessThan(0.15));
  });

  test('replicas, an old one and a new one, come to the same scores to the last bit', async () => {
    const { replicas, start } = await startReplicas(2, 100);
    const [one, other] = replicas as [Replica, Replica];
    for (let round = 0; round < 10; round += 1) {
      report(one, 1 + round);
      report(other, 2);
      await Promise.all(replicas.map(({ keeper }) => keeper.foldWindows()));
    }
    const tried = ({ keeper }: Replica): number =>
      keeper.history.readLine('line-1', Date.now()).reduce((sum, step) => sum + step.tried, 0);
    await lookUntil(replicas, () => expect(replicas.map(tried)).toEqual([75, 75]));
    expect(rounded(one.steering.explain(AREA))).toEqual(rounded(other.steering.explain(AREA)));
    // Long after the windows themselves are gone, only the snapshot can tell a new replica.
    const [folded = ''] =
      /waypost_measurement_windows_total (\d+)/.exec(await one.readMetrics())?.slice(1) ?? [];
    await vi.waitFor(async () => {
      await Promise.all(replicas.map(({ keeper }) => keeper.foldWindows()));
      expect((await unpackSnapshot((await one.store.loadSnapshot()) ?? Buffer.alloc(0))).folds).toBe(
        Number(folded),
      );
    });
    const late = await start();
    await lookUntil([late], () => expect(tried(late)).toBe(75));
    expect(rounded(late.steering.explain(AREA))).toEqual(rounded(one.steering.explain(AREA)));
  });

  test('picking goes on while Redis is killed and comes back, and learning goes on after', async () => {
    const { server, replicas } = await startReplicas(1, 100);
    const [replica] = replicas as [Replica];
    await server.kill();
    report(replica);
    await replica.keeper.foldWindows();
    expect(replica.steering.pick(AREA)).toHaveLength(4);
    expect(replica.logged).toEqual(['the measurements cannot be kept for now']);
    await server.start();
    await lookUntil(replicas, () => expect(reachOf(replica, 0)).toBeLessThan(0.15));
    expect(replica.logged).toContain('the measurements are kept again');
  });
});

/** The same Redis, with a clock of the test's in the scripts. */
function shiftClock(redis: Redis, clock: { readonly aheadSeconds: number }): Redis {
  const shift = (script: string): string =>
    script.replace(
      "redis.call('TIME')",
      `(function() local time = redis.call('TIME'); time[1] = time[1] + ${clock.aheadSeconds}; return time end)()`,
    );
  return {
    ...redis,
    ask: (question) =>
      redis.ask((client) => {
        const run: RedisClient['eval'] = (script, options) => client.eval(shift(String(script)), options);
        // The same client, but for its scripts.
        return question(Object.create(client, { eval: { value: run } }) as RedisClient);
      }),
  };
}

/** Sums that were folded in another order differ in their last bits. */
function rounded<T>(value: T): T {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' ? Number(part.toPrecision(9)) : part,
  );
  return JSON.parse(text) as T;
}

test('a snapshot fills a gap once, although nothing was counted since', async () => {
  let loads = 0;
  const quiet: MeasurementStore = {
    windowMs: 10_000,
    snapshotEveryMs: 60_000,
    add: () => undefined,
    // The last windows are kept, and empty.
    readSince: async (windowNumber) => ({ windows: [], lastNumber: 100, isComplete: windowNumber >= 82 }),
    loadSnapshot: async () => {
      loads += 1;
      return undefined;
    },
    saveSnapshot: async ({ folds }) => folds,
    close: async () => undefined,
  };
  const { keeper } = await startReplica(quiet);
  for (let folds = 0; folds < 5; folds += 1) await keeper.foldWindows();
  // At the start, and at the first look.
  expect(loads).toBe(2);
});
