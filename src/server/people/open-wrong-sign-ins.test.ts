import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../store/database.ts';
import { makeDataFolder, openTestDatabase } from '../testing/open-test-database.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { AWAY_DATABASE } from '../testing/disturb-database.ts';
import { PeopleError } from './people-error.ts';
import { type CountedGuess, type WrongSignIns, openWrongSignIns } from './open-wrong-sign-ins.ts';

const GUESS: CountedGuess = {
  kind: 'account',
  about: 'mei elsewhere',
  windowMs: 300_000,
  maxTries: 10,
  maxTriesOfDay: 50,
};
const TOO_MANY = { code: 'too-many-tries' };

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

const guessWrong = ({ attempt }: WrongSignIns, guess = GUESS) => attempt(guess, async () => undefined);
const guessRight = ({ attempt }: WrongSignIns, guess = GUESS) => attempt(guess, async () => true);

/** A second more than five minutes: the database's own clock may be set back a little meanwhile. */
const FIVE_MINUTES_MS = 301_000;
/** As if that much time had passed. */
const pass = (database: Database, ms: number) =>
  database.change('update wrong_sign_ins set ends_at = ends_at - $1, day_ends_at = day_ends_at - $1', [ms]);

describe.each(['SQLite', 'PostgreSQL'])('wrong sign-ins in %s', (engine) => {
  async function openPortals(): Promise<readonly [WrongSignIns, WrongSignIns, Database]> {
    const place =
      engine === 'SQLite' ? { dataDir: await makeDataFolder() } : { url: await postgres.createDatabase() };
    const [one, two] = [await openTestDatabase(place), await openTestDatabase(place)];
    return [openWrongSignIns(one), openWrongSignIns(two), one];
  }

  test('are ten in five minutes on both portals together, and right ones cost nothing', async () => {
    const [one, two, database] = await openPortals();
    for (let count = 0; count < 5; count += 1) {
      await guessWrong(one);
      await guessWrong(two);
      await guessRight(two).catch(() => undefined);
    }
    for (const portal of [one, two]) await expect(guessRight(portal)).rejects.toMatchObject(TOO_MANY);
    // Another account is not concerned.
    expect(await guessRight(one, { ...GUESS, about: 'otto elsewhere' })).toBe(true);
    const refused: unknown = await guessRight(one).catch((error: unknown) => error);
    const seconds = refused instanceof PeopleError && refused.retryAfterSeconds;
    expect(seconds).toBeGreaterThan(200);
    expect(seconds).toBeLessThanOrEqual(300);
    await pass(database, FIVE_MINUTES_MS);
    expect(await guessRight(two)).toBe(true);
  });

  test('are fifty in a day, and a clock that was set back locks nobody out for longer', async () => {
    const [one, , database] = await openPortals();
    for (let count = 0; count < 50; count += 1) {
      if (count % 10 === 0) await pass(database, FIVE_MINUTES_MS);
      await guessWrong(one);
    }
    await pass(database, FIVE_MINUTES_MS);
    await expect(guessRight(one)).rejects.toMatchObject(TOO_MANY);
    await pass(database, -86_400_000);
    expect(await guessRight(one)).toBe(true);
  });

  test('do not get past the limit because many come at once', async () => {
    const [one, two] = await openPortals();
    let checked = 0;
    const guess = ({ attempt }: WrongSignIns) =>
      attempt(GUESS, async () => {
        checked += 1;
        return undefined;
      });
    await Promise.allSettled(Array.from({ length: 30 }, (_, index) => guess(index % 2 === 0 ? one : two)));
    expect(checked).toBe(10);
  });

  test('are removed when they no longer count, and do not say what was typed', async () => {
    const [one, , database] = await openPortals();
    await guessWrong(one);
    await guessWrong(one, { ...GUESS, kind: 'unknown name', about: 'my password' });
    expect(JSON.stringify(await database.read('select * from wrong_sign_ins'))).not.toContain('password');
    await one.removeOld();
    expect(await database.read('select kind from wrong_sign_ins')).toHaveLength(2);
    await pass(database, 86_400_000);
    await one.removeOld();
    expect(await database.read('select kind from wrong_sign_ins')).toEqual([]);
  });
});

test('of strangers the newest 10,000 are kept, and all of real accounts', async () => {
  const database = await openTestDatabase();
  const wrong = openWrongSignIns(database);
  for (const kind of ['account', 'caller'])
    await database.change(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10500)
       insert into wrong_sign_ins select $brand, $1, 'hash ' || n, 1, $now + 100000 + n, 1, $now + 100000
       from numbers`,
      [kind],
    );
  await wrong.removeOld();
  const rows = await database.read(
    `select kind, count(*) as number, min(ends_at - day_ends_at) as oldest
     from wrong_sign_ins group by kind order by kind`,
  );
  expect(rows).toEqual([
    { kind: 'account', number: 10_500, oldest: 1 },
    { kind: 'caller', number: 10_000, oldest: 501 },
  ]);
});

test('while the database is away, it stops nobody: the portal counts for itself', async () => {
  const wrong = openWrongSignIns(AWAY_DATABASE);
  for (let count = 0; count < 20; count += 1) await guessWrong(wrong);
  expect(await guessRight(wrong)).toBe(true);
  await wrong.removeOld();
});

test('a try that the server could not check costs nothing', async () => {
  const wrong = openWrongSignIns(await openTestDatabase());
  const busy = new PeopleError('too-many-sign-ins', '');
  for (let count = 0; count < 20; count += 1)
    await expect(wrong.attempt(GUESS, () => Promise.reject(busy))).rejects.toBe(busy);
  expect(await guessRight(wrong)).toBe(true);
});
