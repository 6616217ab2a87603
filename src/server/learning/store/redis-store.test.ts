import { describe, expect, test, vi } from 'vitest';
import { addUp, describeStore } from '../../testing/store-suite.ts';
import { useRedis } from '../../testing/use-redis.ts';
import { countReport } from '../count-report.ts';
import { type Counts, addCounts, createCounts, isEmpty, openVoter } from '../counts.ts';
import type { MeasurementStore } from './measurement-store.ts';
import { type RedisStoreOptions, createRedisStore } from './redis-store.ts';

/** A probe that was left open: one number in Redis. */
const LEFT_OPEN = { reached: 0, failed: 0.3, lost: 0, times: 0, sumLnMs: 0 };
const PREFIX = 'waypost:{test}';
const WINDOW_MS = 300;

const { connect, server } = useRedis();

async function openStore(options: Partial<RedisStoreOptions> = {}): Promise<MeasurementStore> {
  const redis = await connect();
  return createRedisStore({
    redis,
    prefix: PREFIX,
    windowMs: WINDOW_MS,
    onLoss: () => undefined,
    ...options,
  });
}

describeStore('Redis', async () => ({
  open: () => openStore(),
  closeWindow: async () => undefined,
  dispose: async () => undefined,
}));

/** Reads like a replica does, over and over, until it has seen what is waited for. */
async function readUntil(
  store: MeasurementStore,
  isDone: (seen: Counts) => boolean,
  seen: Counts = createCounts(),
): Promise<Counts> {
  let since = 0;
  await vi.waitFor(async () => {
    const { windows } = await store.readSince(since);
    since = windows.at(-1)?.number ?? since;
    addCounts(seen, addUp(windows));
    expect(isDone(seen)).toBe(true);
  });
  return seen;
}

const reportsIn = ({ site }: Counts): number => site.reports;

function report(store: MeasurementStore, network: number): void {
  const counts = countReport({
    area: `GB/AS${network}`,
    prefix: '198.51.100',
    lineIds: ['line-a', 'line-b'],
    results: [
      { index: 0, outcome: 'valid', time: 80 },
      { index: 1, outcome: 'open', time: 0 },
    ],
    entered: 0,
  });
  store.add(counts);
}

describe('two replicas', () => {
  test('count 100,000 reports, none lost and none twice', async () => {
    const stores = await Promise.all([openStore({ windowMs: 10_000 }), openStore({ windowMs: 10_000 })]);
    for (let sent = 0; sent < 100_000; sent += 1) {
      const store = stores[sent % 2];
      if (store) report(store, sent % 300);
      if (sent % 5_000 === 0) await Promise.all(stores.map((each) => each.readSince(0)));
    }
    for (const store of stores) await store.close();
    const redis = await connect();
    const rows = await redis.ask(async (client) => {
      const keys = await client.keys(`${PREFIX}:window:*:*`);
      return Promise.all(keys.map((key) => client.hGetAll(key)));
    });
    const sum: Record<string, number> = {};
    for (const [field, amount] of rows.flatMap((row) => Object.entries(row))) {
      sum[field] = (sum[field] ?? 0) + Number(amount);
    }
    expect(sum).toMatchObject({
      't*': 100_000,
      'r*': 100_000,
      'oline-a': 100_000,
      'fline-b': 300_000,
      'eline-a': 100_000,
    });
  });

  test('read the same windows', async () => {
    const [one, other] = await Promise.all([openStore(), openStore()]);
    for (let sent = 0; sent < 50; sent += 1) report(sent % 2 ? one : other, sent);
    const seen = await Promise.all(
      [one, other].map((store) => readUntil(store, (sum) => reportsIn(sum) === 50)),
    );
    expect(seen[0]).toEqual(seen[1]);
  });
});

test('every key of a site carries its hash tag, and none stays for ever but its snapshot', async () => {
  const store = await openStore({ windowMs: 10_000 });
  report(store, 1);
  await store.readSince(0);
  await store.saveSnapshot({ folds: 1, bytes: Buffer.from('snapshot') });
  const redis = await connect();
  const lives = await redis.ask(async (client) => {
    const keys = await client.keys('*');
    return Promise.all(keys.map(async (key) => ({ key, leftMs: await client.pTTL(key) })));
  });
  expect(lives.map(({ key }) => key).filter((key) => !key.startsWith('waypost:{test}:'))).toEqual([]);
  const kept = lives.filter(({ leftMs }) => leftMs < 0).map(({ key }) => key);
  expect(kept).toEqual(['waypost:{test}:snapshot']);
  const windows = lives.filter(({ key }) => key.includes(':window:'));
  expect(windows.length).toBeGreaterThan(1);
  for (const { leftMs } of windows) expect(leftMs).toBeLessThanOrEqual(180_000);
});

describe('while Redis is away', () => {
  test('counts wait, and nothing is lost', async () => {
    const store = await openStore();
    for (let sent = 0; sent < 100; sent += 1) report(store, sent);
    const seen = addUp((await store.readSince(0)).windows);
    // Now Redis forgets those that nobody has read yet.
    await server().kill();
    for (let sent = 0; sent < 100; sent += 1) report(store, sent);
    await expect(store.readSince(0)).rejects.toThrow(Error);
    await server().start();
    for (let sent = 0; sent < 100; sent += 1) report(store, sent);
    expect(reportsIn(await readUntil(store, (sum) => reportsIn(sum) >= 300, seen))).toBe(300);
  });

  test('what is beyond the bound is lost, and told', async () => {
    let lost = 0;
    const store = await openStore({ maxBufferedCells: 3, onLoss: () => (lost += 1) });
    await server().kill();
    for (let sent = 0; sent < 10; sent += 1) {
      const counts = createCounts();
      const seen = openVoter(counts, '/10.0', 0);
      for (const id of ['a', 'b', 'c', 'd']) seen.set(id, LEFT_OPEN);
      store.add(counts);
    }
    expect(lost).toBe(10);
    await server().start();
    const { areas } = await readUntil(store, (sum) => !isEmpty(sum));
    expect(areas.get('/10.0')?.get(0)).toEqual(
      new Map(['a', 'b', 'c'].map((id) => [id, { ...LEFT_OPEN, failed: 3 }])),
    );
  });

  test('a Redis that hangs is given up, and found again', async () => {
    const store = await openStore({ redis: await connect({ answerTimeoutMs: 100 }) });
    report(store, 1);
    server().pause();
    await expect(store.readSince(0)).rejects.toThrow('did not answer within 100 ms');
    report(store, 2);
    server().resume();
    const seen = await readUntil(store, (sum) => reportsIn(sum) >= 2);
    expect(reportsIn(seen)).toBe(2);
  });
});

test('a replica that has missed windows is told so', async () => {
  const store = await openStore();
  expect((await store.readSince(0)).isComplete).toBe(false);
  const now = Math.floor(Date.now() / WINDOW_MS);
  expect((await store.readSince(now - 2)).isComplete).toBe(true);
});

test('of two snapshots the one with more in it stays', async () => {
  const store = await openStore();
  expect(await store.saveSnapshot({ folds: 9, bytes: Buffer.from('more') })).toBe(9);
  expect(await store.saveSnapshot({ folds: 5, bytes: Buffer.from('less') })).toBe(9);
  expect(String(await store.loadSnapshot())).toBe('more');
});
