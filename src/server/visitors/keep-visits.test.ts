import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Redis } from '../redis/open-redis.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { useRedis } from '../testing/use-redis.ts';
import type { Cells } from './cells.ts';
import { type KeepVisitsOptions, type VisitKeeper, keepVisits } from './keep-visits.ts';

const NOON = Date.UTC(2026, 10, 16, 12);
const TODAY = NOON / 86_400_000 - 0.5;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const VIEW: Cells = new Map([['step/page_view', 1]]);
const log = pino({ level: 'silent' });

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-visits-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

async function openKeeper(options: Partial<KeepVisitsOptions> = {}) {
  const clock = { now: NOON };
  const dataDir = options.dataDir ?? (await makeFolder());
  const keeper = keepVisits({ shared: undefined, log, now: () => clock.now, ...options, dataDir });
  return { keeper, clock, dataDir };
}

async function countViews({ readDay }: Pick<VisitKeeper, 'readDay'>, day = TODAY): Promise<number> {
  let sum = 0;
  for (const cells of (await readDay(day)).values()) sum += cells.get('step/page_view') ?? 0;
  return sum;
}

describe('the numbers of a portal that runs alone', () => {
  test('are kept by hour, and outlive a restart', async () => {
    const { keeper, clock, dataDir } = await openKeeper();
    keeper.count(VIEW);
    clock.now += HOUR_MS;
    keeper.count(VIEW);
    keeper.count(VIEW);
    await keeper.close();
    const { keeper: next } = await openKeeper({ dataDir });
    next.count(VIEW);
    const hours = await next.readDay(TODAY);
    expect([12, 13].map((hour) => hours.get(TODAY * 24 + hour)?.get('step/page_view'))).toEqual([2, 2]);
  });

  test('a day begins at midnight in UTC, in a file of its own', async () => {
    const { keeper, clock, dataDir } = await openKeeper();
    clock.now = NOON + 12 * HOUR_MS - 1;
    keeper.count(VIEW);
    clock.now += 1;
    keeper.count(VIEW);
    await keeper.save();
    expect(await readdir(join(dataDir, 'visitors'))).toEqual(['2026-11-16.json', '2026-11-17.json']);
    expect([await countViews(keeper), await countViews(keeper, TODAY + 1)]).toEqual([1, 1]);
  });

  test('are kept for 400 days', async () => {
    const { keeper, clock, dataDir } = await openKeeper();
    keeper.count(VIEW);
    await keeper.save();
    clock.now += 399 * DAY_MS;
    await keeper.save();
    expect(await countViews(keeper)).toBe(1);
    clock.now += DAY_MS;
    await keeper.save();
    expect(await readdir(join(dataDir, 'visitors'))).toEqual([]);
  });

  test('a day that has left the memory is not overwritten when the clock is set back to it', async () => {
    const { keeper, clock, dataDir } = await openKeeper();
    keeper.count(VIEW);
    await keeper.save();
    clock.now += 30 * DAY_MS;
    await keeper.save();
    clock.now -= 30 * DAY_MS;
    keeper.count(VIEW);
    keeper.count(VIEW);
    await keeper.save();
    expect(await countViews(keeper)).toBe(3);
    const { keeper: next } = await openKeeper({ dataDir });
    expect(await countViews(next)).toBe(3);
  });

  test('a file that is damaged, or says what nobody counts, costs its own numbers only', async () => {
    const { keeper, dataDir } = await openKeeper();
    await mkdir(join(dataDir, 'visitors'));
    const write = (day: string, text: string) => writeFile(join(dataDir, 'visitors', `${day}.json`), text);
    await write('2026-11-15', '{"hours":{"3":{"a":{"step/pa');
    const cells = { 'step/page_view': 7, 'step/made_up': 1, 'step/entered': -5, 'step/first_row': 1e300 };
    await write('2026-11-16', JSON.stringify({ hours: { 3: { a: cells }, 99: { a: cells } } }));
    keeper.count(VIEW);
    expect(await countViews(keeper, TODAY - 1)).toBe(0);
    expect([...((await keeper.readDay(TODAY)).get(TODAY * 24 + 3) ?? [])]).toEqual([['step/page_view', 7]]);
    expect(await countViews(keeper)).toBe(8);
    // A day that changes no more is read in another way.
    await write('2026-09-16', JSON.stringify({ hours: { 3: { a: cells } } }));
    const longAgo = await keeper.readDay(TODAY - 61);
    expect([...(longAgo.get((TODAY - 61) * 24 + 3) ?? [])]).toEqual([['step/page_view', 7]]);
  });

  test('a folder that cannot be written stops nothing, and all is saved when it can', async () => {
    const { keeper, dataDir } = await openKeeper();
    await writeFile(join(dataDir, 'visitors'), 'in the way');
    keeper.count(VIEW);
    await keeper.save();
    await rm(join(dataDir, 'visitors'));
    keeper.count(VIEW);
    await keeper.save();
    const { keeper: next } = await openKeeper({ dataDir });
    expect(await countViews(next)).toBe(2);
  });

  test('kill -9 loses what was counted since the last save at most, and nothing counts twice', async () => {
    const dataDir = await makeFolder();
    let saved = 0;
    let counted = 0;
    for (let kill = 1; kill <= 2; kill += 1) {
      const child = await spawnFunction(
        new URL('../testing/count-for-ever.ts', import.meta.url),
        'countForEver',
        [dataDir],
      );
      let last = { saved: 0, counted: 0 };
      await new Promise<void>((resolve) => {
        child.on('message', (message: typeof last) => {
          last = message;
          if (message.saved >= 50 * kill) resolve();
        });
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      saved += last.saved;
      // It may have counted once more after its last message.
      counted += last.counted + 10;
    }
    const { keeper } = await openKeeper({ dataDir, now: Date.now });
    const today = Math.floor(Date.now() / DAY_MS);
    const views = (await countViews(keeper, today)) + (await countViews(keeper, today - 1));
    expect(views).toBeGreaterThanOrEqual(saved);
    expect(views).toBeLessThanOrEqual(counted);
  });
});

describe('the numbers of several portals', () => {
  const PREFIX = 'waypost:{test}';
  const { connect, server } = useRedis();

  async function openShared(options: Partial<KeepVisitsOptions> = {}) {
    const redis = await connect();
    return { ...(await openKeeper({ shared: { redis, prefix: PREFIX }, ...options })), redis };
  }

  /** Exchanges until it works: a connection that broke is made anew in its own time. */
  async function exchangeWell({ keeper, redis }: { keeper: VisitKeeper; redis: Redis }): Promise<void> {
    await expect.poll(redis.isReady, { interval: 10 }).toBe(true);
    await keeper.exchange();
  }

  async function exchangeAll(portals: readonly { keeper: VisitKeeper; redis: Redis }[]): Promise<void> {
    // Once to give, and once to get what the others gave.
    for (const portal of [...portals, ...portals]) await exchangeWell(portal);
  }

  test('add up on each of them, and each writes the sums into its own folder', async () => {
    const [one, other] = [await openShared(), await openShared()];
    one.keeper.count(VIEW);
    other.keeper.count(VIEW);
    other.keeper.count(VIEW);
    await exchangeAll([one, other]);
    one.keeper.count(VIEW);
    await exchangeAll([one, other]);
    for (const { keeper, dataDir } of [one, other]) {
      expect(await countViews(keeper)).toBe(4);
      await keeper.save();
      // Read without Redis.
      expect(await countViews((await openKeeper({ dataDir })).keeper)).toBe(4);
    }
  });

  test('Redis is killed and comes back empty: nothing is lost, and nothing counts twice', async () => {
    const [one, other] = [await openShared(), await openShared()];
    one.keeper.count(VIEW);
    other.keeper.count(VIEW);
    await exchangeAll([one, other]);
    await server().kill();
    one.keeper.count(VIEW);
    await one.keeper.exchange();
    await server().start();
    await exchangeAll([one, other]);
    expect([await countViews(one.keeper), await countViews(other.keeper)]).toEqual([3, 3]);
    // What a portal counted that is gone comes back from the others.
    await server().kill();
    await server().start();
    await exchangeWell(other);
    const late = await openShared();
    await exchangeWell(late);
    expect(await countViews(late.keeper)).toBe(3);
  });

  test('a portal that was away for two days gets what it missed, and one with all in its folder gives it', async () => {
    const one = await openShared();
    one.keeper.count(VIEW);
    await exchangeWell(one);
    await one.keeper.save();
    await server().kill();
    await server().start();
    const { dataDir } = one;
    const again = await openShared({ dataDir });
    await again.keeper.save();
    again.clock.now += 2 * DAY_MS;
    await exchangeWell(again);
    const late = await openShared();
    late.clock.now += 2 * DAY_MS;
    await exchangeWell(late);
    expect(await countViews(late.keeper)).toBe(1);
  });

  test('what no portal asks for any more is not sent', async () => {
    const one = await openShared();
    one.keeper.count(VIEW);
    one.clock.now += 3 * DAY_MS;
    one.keeper.count(VIEW);
    await exchangeWell(one);
    const keys = await one.redis.ask((client) => client.keys(`${PREFIX}:visits:*`));
    expect(keys).toEqual([`${PREFIX}:visits:${TODAY * 24 + 84}`]);
  });

  test('what another program writes to its keys is not believed', async () => {
    const one = await openShared();
    one.keeper.count(VIEW);
    await exchangeWell(one);
    const key = `${PREFIX}:visits:${TODAY * 24 + 12}`;
    await one.redis.ask((client) =>
      client.hSet(key, {
        mark: 'x',
        'evil step/made_up': '1',
        'evil step/page_view': 'NaN',
        'evil step/entered': '-3',
        'evil line/a': '1e400',
        'evil country/entered/=HYPERLINK("x")': '1',
        '': '7',
      }),
    );
    await exchangeWell(one);
    expect([...((await one.keeper.readDay(TODAY)).get(TODAY * 24 + 12) ?? [])]).toEqual([...VIEW]);
  });

  test('Redis keeps no address and no name of a person, only counts', async () => {
    const one = await openShared();
    one.keeper.count(new Map([['country/entered/SG', 1]]));
    await exchangeWell(one);
    const stored = await one.redis.ask((client) => client.hGetAll(`${PREFIX}:visits:${TODAY * 24 + 12}`));
    const fields = Object.keys(stored).map((field) => field.replace(/^[\da-f-]{36} /, ''));
    expect(fields.toSorted()).toEqual(['country/entered/SG', 'mark']);
    await one.keeper.save();
    const file = await readFile(join(one.dataDir, 'visitors', '2026-11-16.json'), 'utf8');
    expect(JSON.parse(file)).toEqual({ hours: { 12: { [firstSource(file)]: { 'country/entered/SG': 1 } } } });
  });

  function firstSource(file: string): string {
    return /[\da-f-]{36}/.exec(file)?.[0] ?? '';
  }
});
