import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { type ReplicaList, createReplicaList } from './create-replica-list.ts';

const log = pino({ level: 'silent' });
let postgres: TestPostgres;
let url: string;
let brands = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
});
afterAll(() => postgres.close());

/** The database of a brand of its own. */
async function open(brand = `brand${(brands += 1)}`): Promise<Database> {
  const database = await openDatabase({ dataDir: '', url, brand, log });
  onTestFinished(database.close);
  return database;
}

function joinPortals(name: string, database: Database, down: readonly string[] = ['a']): ReplicaList {
  return createReplicaList({
    database,
    describeSelf: () => ({
      name,
      startedAt: 1,
      siteVersion: 3,
      siteHash: 'abc',
      lines: { isCutOff: false, down, dead: [] },
    }),
  });
}

const namesOf = (list: ReplicaList): readonly string[] => list.replicas().map(({ name }) => name);
/** Lets everybody have been silent for longer. */
const age = (database: Database, ms: number) =>
  database.change('update portals set seen_at = seen_at - $1 where brand = $brand', [ms]);

test('replicas see each other, themselves first, until one takes leave', async () => {
  const database = await open();
  const [one, two] = [joinPortals('one', database), joinPortals('two', database)];
  await one.exchangeReports();
  await two.exchangeReports();
  await one.exchangeReports();
  expect([namesOf(one), namesOf(two)]).toEqual([
    ['one', 'two'],
    ['two', 'one'],
  ]);
  expect(one.replicas()[1]).toEqual({
    name: 'two',
    startedAt: 1,
    siteVersion: 3,
    siteHash: 'abc',
    lines: { isCutOff: false, down: ['a'], dead: [] },
    isThis: false,
    goneSince: undefined,
  });
  await two.close();
  await one.exchangeReports();
  expect(namesOf(one)).toEqual(['one']);
});

test('a replica that sees all of 1,000 lines and 4 backups down is seen', async () => {
  const database = await open();
  const down = Array.from({ length: 1_004 }, (_, index) => `line${index}`);
  const [one, two] = [joinPortals('one', database), joinPortals('two', database, down)];
  await two.exchangeReports();
  await one.exchangeReports();
  expect(one.replicas()[1]?.lines?.down).toHaveLength(1_004);
});

test('a replica is gone after ten seconds of silence, forgotten after an hour, and may come back', async () => {
  const database = await open();
  const [one, two] = [joinPortals('one', database), joinPortals('two', database)];
  await two.exchangeReports();
  await age(database, 8_000);
  await one.exchangeReports();
  expect(one.replicas()[1]).toMatchObject({ name: 'two', goneSince: undefined });

  await age(database, 2_000);
  await one.exchangeReports();
  const since = one.replicas()[1]?.goneSince ?? 0;
  expect(Date.now() - since).toBeGreaterThanOrEqual(10_000);
  await one.exchangeReports();
  expect(one.replicas()[1]).toMatchObject({ name: 'two', goneSince: since });

  await two.exchangeReports();
  await one.exchangeReports();
  expect(one.replicas()[1]).toMatchObject({ name: 'two', goneSince: undefined });

  await age(database, 3_600_000);
  await one.exchangeReports();
  expect(namesOf(one)).toEqual(['one']);
  expect(await database.read('select id from portals where brand = $brand')).toHaveLength(1);
});

test('portals of another brand are nobody’s replicas', async () => {
  const one = joinPortals('one', await open());
  await joinPortals('stranger', await open()).exchangeReports();
  await one.exchangeReports();
  expect(namesOf(one)).toEqual(['one']);
});

test.each(['not JSON', '{}', '{"name":7}', 'null'])(
  'a report such as %s hides no other replica',
  async (report) => {
    const database = await open();
    const [one, two] = [joinPortals('one', database), joinPortals('two', database)];
    await two.exchangeReports();
    await database.change("insert into portals values ($brand, 'x', $1, $now)", [report]);
    await one.exchangeReports();
    expect(namesOf(one)).toEqual(['one', 'two']);
  },
);

test('while the database is away a replica knows of itself alone', async () => {
  const database = await open();
  const [one, two] = [joinPortals('one', database), joinPortals('two', database)];
  await two.exchangeReports();
  await one.exchangeReports();
  expect(namesOf(one)).toEqual(['one', 'two']);
  await postgres.kill();
  await one.exchangeReports();
  expect(namesOf(one)).toEqual(['one']);
  await postgres.start();
  await vi.waitFor(async () => {
    await one.exchangeReports();
    expect(namesOf(one)).toEqual(['one', 'two']);
  }, PATIENCE);
});

test('a portal that has its database for itself writes no report', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-portals-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ dataDir, log });
  onTestFinished(database.close);
  const list = joinPortals('one', database);
  await list.exchangeReports();
  expect(namesOf(list)).toEqual(['one']);
  expect(await database.read('select id from portals')).toEqual([]);
});
