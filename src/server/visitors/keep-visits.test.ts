import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreAwayError, UncertainCommitError } from '../store/database.ts';
import type { DatabasePlace } from '../store/open-database.ts';
import { makeDataFolder, openTestDatabase } from '../testing/open-test-database.ts';
import { spawnFunction } from '../testing/spawn-function.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import type { Cells } from './cells.ts';
import { type VisitKeeper, keepVisits } from './keep-visits.ts';
import { countSources } from './source-cells.ts';

const NOON = Date.UTC(2026, 10, 16, 12);
const TODAY = NOON / 86_400_000 - 0.5;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const VIEW: Cells = new Map([['step/page_view', 1]]);

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** One of several portals that share a database, whose answers a test can take away. */
async function openPortal(place: Partial<DatabasePlace> = {}) {
  const database = await openTestDatabase(place);
  const clock = { now: NOON };
  const answers = { transaction: database.transaction };
  const logged: unknown[] = [];
  const visits = keepVisits({
    database: { ...database, transaction: (work) => answers.transaction(work) },
    log: pino({}, { write: (line) => logged.push(line) }),
    now: () => clock.now,
  });
  return { visits, clock, answers, database, logged };
}

async function countViews({ readSums }: VisitKeeper, day = TODAY): Promise<number> {
  return (await readSums(day, day * 24 + 23)).get('step/page_view') ?? 0;
}

describe.each(['SQLite', 'PostgreSQL'] as const)('the numbers of visits in %s', (engine) => {
  const createPlace = async (): Promise<DatabasePlace> => ({
    dataDir: await makeDataFolder(),
    url: engine === 'SQLite' ? undefined : await postgres.createDatabase(),
  });

  test('are kept by hour and by day, and outlive a restart', async () => {
    const place = await createPlace();
    const { visits, clock } = await openPortal(place);
    visits.count(VIEW);
    clock.now += HOUR_MS;
    visits.count(VIEW);
    visits.count(VIEW);
    await visits.close();
    const { visits: next } = await openPortal(place);
    next.count(VIEW);
    const cells = ['step/page_view'];
    const hours = await next.readTimes({ by: 'hour', first: TODAY * 24, last: TODAY * 24 + 23, cells });
    const days = await next.readTimes({ by: 'day', first: TODAY - 1, last: TODAY, cells });
    const views = new Map([['step/page_view', 2]]);
    expect([...hours].toSorted(([one], [other]) => one - other)).toEqual([
      [TODAY * 24 + 12, views],
      [TODAY * 24 + 13, views],
    ]);
    expect([...days]).toEqual([[TODAY, new Map([['step/page_view', 4]])]]);
  });

  test('of a period are those of its days, and of the hours of its last day', async () => {
    const { visits, clock } = await openPortal(await createPlace());
    const midnight = NOON - 12 * HOUR_MS;
    for (const [at, times] of [
      [midnight - 2 * DAY_MS - 1, 1],
      [midnight - 2 * DAY_MS, 2],
      [midnight - 1, 4],
      [midnight, 8],
      [NOON + HOUR_MS - 1, 16],
      [NOON + HOUR_MS, 32],
    ] as const) {
      clock.now = at;
      visits.count(new Map([['step/page_view', times]]));
    }
    expect((await visits.readSums(TODAY - 2, TODAY * 24 + 12)).get('step/page_view')).toBe(2 + 4 + 8 + 16);
  });

  test('of several portals add up, and each portal reads the sums', async () => {
    const place = await createPlace();
    const [one, other] = [await openPortal(place), await openPortal(place)];
    for (let round = 0; round < 10; round += 1) {
      one.visits.count(VIEW);
      other.visits.count(VIEW);
      other.visits.count(new Map([[`country/entered/${round % 2 ? 'SG' : 'MY'}`, 1]]));
      await Promise.all([one.visits.write(), other.visits.write()]);
    }
    expect(await one.visits.readSums(TODAY, TODAY * 24 + 12)).toEqual(
      new Map([
        ['step/page_view', 20],
        ['country/entered/SG', 5],
        ['country/entered/MY', 5],
      ]),
    );
    expect(await countViews(other.visits)).toBe(20);
  });

  test('a batch whose answer was lost counts once', async () => {
    const { visits, answers, database } = await openPortal(await createPlace());
    visits.count(VIEW);
    answers.transaction = async (work) => {
      await database.transaction(work);
      throw new UncertainCommitError('the answer was lost');
    };
    await expect(visits.write()).rejects.toThrow('the answer was lost');
    visits.count(VIEW);
    answers.transaction = database.transaction;
    expect(await countViews(visits)).toBe(2);
  });

  test('a day has room for 200 referrers of all portals, then for “other”', async () => {
    const place = await createPlace();
    const [one, other] = [await openPortal(place), await openPortal(place)];
    const countReferrers = ({ visits }: typeof one, names: readonly number[]): void => {
      for (const name of names) visits.count(new Map([[`referrer/site${name}.example`, 1]]));
    };
    const upTo = (end: number) => Array.from({ length: end }, (_, index) => index);
    countReferrers(one, upTo(150));
    await one.visits.write();
    countReferrers(other, upTo(250));
    const sums = await other.visits.readSums(TODAY, TODAY * 24 + 12);
    // 200 names, "other", and no name that came later.
    expect(sums.size).toBe(201);
    expect([sums.get('referrer/site0.example'), sums.get('referrer/site199.example')]).toEqual([2, 1]);
    expect(sums.get('referrer/other')).toBe(50);
    // The first portal has room for 50 more, as far as it knows.
    countReferrers(one, [900, 0]);
    const later = await one.visits.readSums(TODAY, TODAY * 24 + 12);
    expect([later.size, later.get('referrer/other'), later.get('referrer/site0.example')]).toEqual([
      201, 51, 3,
    ]);
    // The next day has room again.
    other.clock.now += DAY_MS;
    countReferrers(other, [900]);
    expect(await other.visits.readSums(TODAY + 1, (TODAY + 1) * 24 + 12)).toEqual(
      new Map([['referrer/site900.example', 1]]),
    );
  });

  test('are kept for 400 days', async () => {
    const { visits, clock, database } = await openPortal(await createPlace());
    const countRows = async (): Promise<readonly unknown[]> =>
      database.read(
        'select (select count(*) from visit_hours) as hours, (select count(*) from visit_days) as days, (select count(*) from batches) as batches',
      );
    clock.now -= DAY_MS;
    visits.count(VIEW);
    clock.now += DAY_MS;
    visits.count(VIEW);
    clock.now += 399 * DAY_MS;
    await visits.write();
    await visits.removeOld();
    expect(await countViews(visits)).toBe(1);
    expect(await countRows()).toEqual([{ hours: 1, days: 1, batches: 1 }]);
    clock.now += DAY_MS;
    await visits.removeOld();
    expect(await countRows()).toEqual([{ hours: 0, days: 0, batches: 1 }]);
  });

  test('of processes that wrote nothing for 30 days, no batch is remembered', async () => {
    const place = await createPlace();
    for (const agedDays of [29, 31, 0]) {
      const { visits, database } = await openPortal(place);
      visits.count(VIEW);
      await visits.write();
      await database.change('update batches set at = at - $1', [agedDays * DAY_MS]);
    }
    const { visits, database } = await openPortal(place);
    visits.count(VIEW);
    await visits.write();
    expect(await database.read('select count(*) as batches from batches')).toEqual([{ batches: 2 }]);
  });

  test('of an hour with more names than one statement takes are all there', async () => {
    const { visits } = await openPortal(await createPlace());
    const names = Array.from({ length: 2_345 }, (_, index) => `country/entered/${index}`);
    visits.count(new Map(names.map((name, index) => [name, index + 1])));
    const sums = await visits.readSums(TODAY, TODAY * 24 + 12);
    expect(names.map((name) => sums.get(name))).toEqual(names.map((_, index) => index + 1));
  });

  test('of sources that end with half a character are kept: a page cuts long ones anywhere', async () => {
    const { visits } = await openPortal(await createPlace());
    for (const half of ['\ud83d', '\ud83e']) {
      const from = { utm_source: `spring${half}` };
      const facts = { country: 'SG', languages: ['en'], isCampaign: () => false };
      visits.count(countSources({ page: '/c', device: 'pc', steps: ['page_view'], from }, facts));
    }
    const sums = await visits.readSums(TODAY, TODAY * 24 + 12);
    expect(sums.get('all/utm_source/page_view/spring\ufffd')).toBe(2);
  });
});

test('while the database is away, numbers wait by hour, and are written when it is back', async () => {
  const { visits, clock, answers, database } = await openPortal();
  answers.transaction = () => Promise.reject(new StoreAwayError('away'));
  visits.count(VIEW);
  await expect(visits.write()).rejects.toThrow('away');
  clock.now += DAY_MS;
  visits.count(VIEW);
  visits.count(VIEW);
  await expect(visits.write()).rejects.toThrow('away');
  await visits.close();
  answers.transaction = database.transaction;
  expect([await countViews(visits), await countViews(visits, TODAY + 1)]).toEqual([1, 2]);
});

test('of numbers that wait, at most 50,000 names are kept, and the log says once that there are more', async () => {
  const { visits, logged, answers, database } = await openPortal();
  answers.transaction = () => Promise.reject(new StoreAwayError('away'));
  for (let name = 0; name < 50_010; name += 1) visits.count(new Map([[`line/${name}.example`, 1]]));
  visits.count(new Map([['line/0.example', 1]]));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('too many numbers wait');
  answers.transaction = database.transaction;
  const sums = await visits.readSums(TODAY, TODAY * 24 + 12);
  expect([sums.size, sums.get('line/0.example')]).toEqual([50_000, 2]);
});

test('kill -9 loses what was counted since the last write at most, and nothing counts twice', async () => {
  const dataDir = await makeDataFolder();
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
  const { visits } = await openPortal({ dataDir });
  const today = Math.floor(Date.now() / DAY_MS);
  const views = (await countViews(visits, today)) + (await countViews(visits, today - 1));
  expect(views).toBeGreaterThanOrEqual(saved);
  expect(views).toBeLessThanOrEqual(counted);
});

test('the tables hold counts, and nothing of the visitor', async () => {
  const { visits, database } = await openPortal();
  visits.count(new Map([['country/entered/SG', 1]]));
  await visits.write();
  expect(await database.read<never>('select * from visit_hours')).toEqual([
    { brand: 'main', hour: TODAY * 24 + 12, cell: 'country/entered/SG', times: 1 },
  ]);
});
