import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { startRelay } from '../testing/start-relay.ts';
import type { Database, News } from './database.ts';
import { requireTerm } from './create-lead.ts';
import { type DatabasePlace, openDatabase } from './open-database.ts';

const log = pino({ level: 'silent' });
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** A place that portals can share. */
async function createPlace(engine: 'SQLite' | 'PostgreSQL'): Promise<DatabasePlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-database-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, url: engine === 'SQLite' ? undefined : await postgres.createDatabase() };
}

async function open(place: DatabasePlace): Promise<Database> {
  const database = await openDatabase({ ...place, log });
  onTestFinished(database.close);
  return database;
}

async function addLetter(database: Database, letter: string): Promise<void> {
  await database.transaction(async ({ change, announce }) => {
    await change('create table if not exists letters (brand text, letter text)');
    await change('insert into letters values ($brand, $1)', [letter]);
    await announce('letters');
  });
}

/** Notes what a portal hears of a topic. */
function listen(database: Database, topic: string): News[] {
  const heard: News[] = [];
  onTestFinished(database.watch(topic, async (news) => void heard.push(news)));
  return heard;
}

describe.each(['SQLite', 'PostgreSQL'] as const)('a database in %s', (engine) => {
  test('holds several brands, and each sees its own', async () => {
    const place = await createPlace(engine);
    const [one, two] = [await open({ ...place, brand: 'one' }), await open({ ...place, brand: 'two' })];
    await addLetter(one, 'a');
    await addLetter(two, 'b');
    const sql = 'select letter from letters where brand = $brand';
    expect([await one.read(sql), await two.read(sql)]).toEqual([[{ letter: 'a' }], [{ letter: 'b' }]]);
  });

  test('keeps any text that a visitor can send: of one character another one is kept', async () => {
    const database = await open(await createPlace(engine));
    await addLetter(database, 'a\0b\uD800“\u{1F600}');
    expect(await database.read('select letter from letters')).toEqual([
      { letter: 'a\uFFFDb\uFFFD“\u{1F600}' },
    ]);
  });

  test('has a clock of its own, in ms since 1970', async () => {
    const database = await open(await createPlace(engine));
    const before = Date.now();
    const [row] = await database.read<{ at: number }>('select $now as at');
    expect(row?.at).toBeGreaterThanOrEqual(before - 1);
    expect(row?.at).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('tells each portal at the start, and after a change of another portal or of its own', async () => {
    const place = await createPlace(engine);
    const [one, two] = [await open(place), await open(place)];
    const [heard, others] = [listen(one, 'letters'), listen(one, 'numbers')];
    await vi.waitFor(() => expect([heard.length, others.length]).toEqual([1, 1]), PATIENCE);
    await addLetter(two, 'a');
    await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENCE);
    await addLetter(one, 'b');
    await vi.waitFor(() => expect(heard).toHaveLength(3), PATIENCE);
    expect(others).toHaveLength(1);
    expect(heard.some(({ isRewound }) => isRewound)).toBe(false);
  });

  test('tells nobody of a change that was not kept', async () => {
    const database = await open(await createPlace(engine));
    const heard = listen(database, 'letters');
    await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE);
    const failing = database.transaction(async ({ announce }) => {
      await announce('letters');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await addLetter(database, 'a');
    await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENCE);
  });

  test('says that everything must be read anew when its history went back', async () => {
    const database = await open(await createPlace(engine));
    await addLetter(database, 'a');
    const [heard, others] = [listen(database, 'letters'), listen(database, 'numbers')];
    await vi.waitFor(() => expect([heard.length, others.length]).toEqual([1, 1]), PATIENCE);
    await database.change("update topics set number = 0, tag = 'restored'");
    await vi.waitFor(() => expect(heard.at(-1)).toEqual({ isRewound: true }), PATIENCE);
    await vi.waitFor(() => expect(others.at(-1)).toEqual({ isRewound: true }), PATIENCE);
    expect(database.state().rewoundAt).toBeTypeOf('number');
  });

  test('gives each lead a term of its own', async () => {
    const database = await open(await createPlace(engine));
    expect(await Promise.all([database.lead(), database.lead()])).toEqual([1, 1]);
    await database.transaction((tx) => requireTerm(tx, 1));
    await expect(database.transaction((tx) => requireTerm(tx, 2))).rejects.toMatchObject({
      code: 'store-deposed',
    });
  });
});

test('one portal of two leads, and the other one as soon as the connection of the first is lost', async () => {
  const place = await createPlace('PostgreSQL');
  const [one, two] = [await open(place), await open(place)];
  expect([await one.lead(), await two.lead()]).toEqual([1, undefined]);
  await one.read("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
  await vi.waitFor(async () => expect(await two.lead()).toBe(2), PATIENCE);
  await vi.waitFor(async () => expect(await one.lead()).toBeUndefined(), PATIENCE);
  await expect(one.transaction((tx) => requireTerm(tx, 1))).rejects.toMatchObject({ code: 'store-deposed' });
});

test('a lead of one brand is none of another', async () => {
  const place = await createPlace('PostgreSQL');
  const [one, two] = [await open({ ...place, brand: 'one' }), await open({ ...place, brand: 'two' })];
  expect([await one.lead(), await two.lead()]).toEqual([1, 1]);
});

test('notices that the server is away, and what it missed when the server is back', async () => {
  const place = await createPlace('PostgreSQL');
  const [one, two] = [await open(place), await open(place)];
  await addLetter(two, 'a');
  const heard = listen(one, 'letters');
  await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE);
  expect(one.state().isUp).toBe(true);
  await postgres.kill();
  await vi.waitFor(() => expect(one.state().isUp).toBe(false), PATIENCE);
  await postgres.start();
  await vi.waitFor(() => addLetter(two, 'b'), PATIENCE);
  await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENCE);
  expect(one.state().isUp).toBe(true);
});

test('after a standby took over, nothing is lost, and everything is read anew', async () => {
  const primary = await startPostgres();
  onTestFinished(primary.close);
  const url = new URL(await primary.createDatabase());
  const relay = await startRelay(primary.port, 0);
  onTestFinished(relay.close);
  url.port = String(relay.port);
  const database = await open({ dataDir: '', url: url.href });
  const standby = await primary.startStandby();
  onTestFinished(standby.close);
  await addLetter(database, 'a');
  const heard = listen(database, 'letters');
  await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE);
  await addLetter(database, 'b');
  await primary.kill();
  await standby.promote();
  relay.leadTo(standby.port);
  await vi.waitFor(() => addLetter(database, 'c'), PATIENCE);
  await vi.waitFor(() => expect(heard).toContainEqual({ isRewound: true }), PATIENCE);
  expect(await database.read('select letter from letters order by letter')).toEqual([
    { letter: 'a' },
    { letter: 'b' },
    { letter: 'c' },
  ]);
  expect(database.state().rewoundAt).toBeTypeOf('number');
});

test('a portal that does not hear of a change sees it by itself', async () => {
  const place = await createPlace('PostgreSQL');
  const [one, two] = [await open(place), await open(place)];
  await addLetter(two, 'a');
  const heard = listen(one, 'letters');
  await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE);
  // As behind a pooler, which passes no notices on.
  await two.change("update topics set number = number + 1, tag = 'unheard' where brand = $brand");
  await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENCE);
});

test('a user who owns the database, and has no other rights, is enough', async () => {
  await postgres.run("create role waypost login password 'only-for-tests'");
  await postgres.run('create database of_a_user owner waypost');
  const url = postgres.urlOf('of_a_user').replace('postgres:only', 'waypost:only');
  const database = await open({ dataDir: '', url });
  await addLetter(database, 'a');
  const heard = listen(database, 'letters');
  await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENCE);
  expect(await database.lead()).toBe(1);
});

test('a portal uses three connections at most', async () => {
  const database = await open(await createPlace('PostgreSQL'));
  listen(database, 'letters');
  await Promise.all(Array.from({ length: 20 }, () => database.read('select pg_sleep(0.01)')));
  const [row] = await database.read<{ count: number }>(
    "select count(*) as count from pg_stat_activity where application_name = 'waypost' and datname = current_database()",
  );
  expect(row?.count).toBeLessThanOrEqual(3);
});
