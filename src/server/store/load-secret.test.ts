import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import type { Database } from './database.ts';
import type { LastGood } from './open-last-good.ts';
import { loadSecret } from './load-secret.ts';

const log = pino({ level: 'silent' });
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

const NO_COPY: LastGood = { keep: async () => undefined, read: async () => undefined };
const load = async (
  database: Database,
  { given, lastGood = NO_COPY }: { given?: string; lastGood?: LastGood } = {},
) => Buffer.from(await loadSecret({ database, lastGood, given, log })).toString('hex');

describe.each(['SQLite', 'PostgreSQL'])('the secret in %s', (engine) => {
  test('is made once, by the first of all portals that start together', async () => {
    const place = engine === 'SQLite' ? {} : { url: await postgres.createDatabase() };
    const database = await openTestDatabase(place);
    const secrets = await Promise.all(Array.from({ length: 10 }, () => load(database)));
    expect(secrets[0]).toHaveLength(64);
    expect(new Set([...secrets, await load(database, { given: '' })]).size).toBe(1);
  });
});

test('a secret may be given, long enough not to be guessed', async () => {
  const database = await openTestDatabase({});
  const given = 'an operator’s own secret, kept in a vault';
  expect(await load(database, { given })).toBe(Buffer.from(given).toString('hex'));
  await expect(load(database, { given: 'short' })).rejects.toThrow(
    'WAYPOST_SECRET must have at least 32 characters, got 5',
  );
});

test('a secret that is not one of ours is not used', async () => {
  const database = await openTestDatabase({});
  await database.change('insert into secrets (brand, secret) values ($brand, $1)', ['c2hvcnQ']);
  await expect(load(database)).rejects.toThrow('delete its row, and a new one is made at the next start');
});

test('a portal that starts while the database is away goes on with the secret that it knows', async () => {
  const database = await openTestDatabase({ url: await postgres.createDatabase() });
  let copy: Buffer | undefined;
  const lastGood: LastGood = {
    keep: async (_name, bytes) => void (copy = Buffer.from(bytes)),
    read: async () => copy,
  };
  const secret = await load(database, { lastGood });
  await postgres.kill();
  expect(await load(database, { lastGood })).toBe(secret);
  // One that has never seen the database serves, too.
  expect(await load(database)).not.toBe(secret);
  await postgres.start();
  await vi.waitFor(async () => expect(await load(database)).toBe(secret), PATIENCE);
});
