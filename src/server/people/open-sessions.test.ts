import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../store/database.ts';
import { makeDataFolder, openTestDatabase } from '../testing/open-test-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { AWAY_DATABASE } from '../testing/disturb-database.ts';
import { openPeople } from './open-people.ts';
import { type OpenedSessions, openSessions } from './open-sessions.ts';

const START = { person: 'li.wei', epoch: 0, prefix: '127.0.0.0/24', isSecure: false };
const log = pino({ level: 'silent' });

let clock: number;
let sessions: OpenedSessions;

beforeEach(() => {
  clock = 1_000_000;
  sessions = openSessions({ database: AWAY_DATABASE, now: () => clock, log });
});

const cookiesOf = (header: string, isSecure = false) => ({ cookies: header.split(';')[0], isSecure });

test('a session ends after 12 hours, however much it is used', async () => {
  const cookies = cookiesOf(await sessions.start(START));
  for (let minutes = 30; minutes < 12 * 60; minutes += 30) {
    clock += 30 * 60_000;
    expect(sessions.find(cookies)?.person).toBe('li.wei');
  }
  clock += 30 * 60_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('a session that waits for the database is written before the portal closes', async () => {
  const database = await openTestDatabase();
  let isUp = false;
  const people = await openPeople({
    database: { ...database, state: () => ({ ...database.state(), isUp }) },
    lastGood: { keep: async () => undefined, read: async () => undefined },
    siteName: () => 'Waypost',
    log,
    now: () => clock,
  });
  await people.sessions.start(START);
  isUp = true;
  await people.close?.();
  expect(await database.read('select person from operator_sessions')).toEqual([{ person: 'li.wei' }]);
});

test('a session that is not used for an hour ends', async () => {
  const cookies = cookiesOf(await sessions.start(START));
  clock += 3_599_999;
  expect(sessions.find(cookies)).toBeDefined();
  clock += 3_600_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('a session that began while the clock was wrong by a year does not last for a year', async () => {
  clock += 365 * 86_400_000;
  const cookies = cookiesOf(await sessions.start(START));
  clock -= 1_000;
  expect(sessions.find(cookies)).toBeDefined();
  clock = 1_000_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('over TLS the cookie is one that only this host can set over TLS, and a plain one counts for nothing', async () => {
  const header = await sessions.start({ ...START, isSecure: true });
  expect(header).toMatch(
    /^__Host-waypost\.console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const [pair = ''] = header.split(';');
  expect(sessions.find({ cookies: pair, isSecure: true })).toBeDefined();
  expect(sessions.find({ cookies: pair.replace('__Host-', ''), isSecure: true })).toBeUndefined();
  expect(sessions.find({ cookies: pair.replace('__Host-', ''), isSecure: false })).toBeDefined();
});

test('a person who signs in anew gets a new key, and the old one is worth nothing', async () => {
  const before = cookiesOf(await sessions.start(START));
  const id = sessions.find(before)?.id;
  const after = cookiesOf(await sessions.start(START, before));
  expect(after.cookies).not.toBe(before.cookies);
  expect(sessions.find(before)).toBeUndefined();
  expect(sessions.find(after)?.id).toBe(id);
  const other = cookiesOf(await sessions.start({ ...START, person: 'mei' }, after));
  expect(sessions.find(other)?.id).not.toBe(id);
});

test('a person has at most ten sessions: the oldest ends', async () => {
  const first = cookiesOf(await sessions.start(START));
  const others = cookiesOf(await sessions.start({ ...START, person: 'mei' }));
  for (let count = 0; count < 9; count += 1) await sessions.start(START);
  expect(sessions.find(first)).toBeDefined();
  await sessions.start(START);
  expect(sessions.find(first)).toBeUndefined();
  expect(sessions.list('li.wei', 0)).toHaveLength(10);
  expect(sessions.find(others)).toBeDefined();
});

test('the list has the sessions of one person and epoch, without their keys', async () => {
  const cookies = cookiesOf(await sessions.start(START));
  await sessions.start({ ...START, epoch: 1 });
  await sessions.start({ ...START, person: 'mei' });
  const key = cookies.cookies?.split('=')[1] ?? '';
  expect(sessions.list('li.wei', 0)).toHaveLength(1);
  expect(JSON.stringify(sessions.list('li.wei', 0))).not.toContain(key);
});

describe('the sessions of two portals', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  type TestPortal = OpenedSessions & { readonly database: Database };

  async function openPortals(engine: 'SQLite' | 'PostgreSQL'): Promise<readonly [TestPortal, TestPortal]> {
    const place =
      engine === 'SQLite' ? { dataDir: await makeDataFolder() } : { url: await postgres.createDatabase() };
    return [await openPortal(await openTestDatabase(place)), await openPortal(await openTestDatabase(place))];
  }

  async function openPortal(database: Database): Promise<TestPortal> {
    const opened = openSessions({ database, now: () => clock, log });
    onTestFinished(opened.follow());
    return { ...opened, database };
  }

  describe.each(['SQLite', 'PostgreSQL'] as const)('in %s', (engine) => {
    test('work at once on the other one, which can end them', async () => {
      const [one, two] = await openPortals(engine);
      const cookies = cookiesOf(await one.start(START));
      await two.learn(cookies);
      expect(two.find(cookies)).toEqual(one.find(cookies));
      await two.end(cookies);
      await vi.waitFor(() => expect(one.find(cookies)).toBeUndefined(), PATIENCE);
      await one.learn(cookies);
      expect(one.find(cookies)).toBeUndefined();
    });

    test('are listed on both, and those that are chosen end on both', async () => {
      const [one, two] = await openPortals(engine);
      const here = cookiesOf(await one.start(START));
      const there = cookiesOf(await two.start(START));
      await vi.waitFor(() => {
        expect(one.list('li.wei', 0)).toHaveLength(2);
        expect(two.list('li.wei', 0)).toHaveLength(2);
      }, PATIENCE);
      const { id } = one.find(here) ?? { id: '' };
      expect(await one.endWhere((session) => session.id !== id)).toBe(1);
      await vi.waitFor(() => expect(two.find(there)).toBeUndefined(), PATIENCE);
      expect(two.list('li.wei', 0)).toMatchObject([{ id }]);
      // A thief of the database cannot sign in with it.
      const rows = await two.database.read('select * from operator_sessions');
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(here.cookies?.split('=')[1]);
    });

    test('go on where they are not used, as long as they are used on the other one', async () => {
      const [one, two] = await openPortals(engine);
      const cookies = cookiesOf(await one.start(START));
      await two.learn(cookies);
      clock += 50 * 60_000;
      expect(one.find(cookies)).toBeDefined();
      await one.writeSeen();
      clock += 50 * 60_000;
      // It may have heard of the use already.
      await two.learn(cookies);
      expect(two.find(cookies)).toBeDefined();
      await two.writeSeen();
      clock += 12 * 3_600_000;
      await one.writeSeen();
      expect(await one.database.read('select * from operator_sessions')).toEqual([]);
    });
  });

  test('survive a restart, and are started and ended while PostgreSQL is away', async () => {
    const [one, two] = await openPortals('PostgreSQL');
    const [old, ended] = [cookiesOf(await one.start(START)), cookiesOf(await one.start(START))];
    await postgres.kill();
    await vi.waitFor(() => expect(one.database.state().isUp).toBe(false), PATIENCE);
    const fresh = cookiesOf(await one.start(START));
    await one.end(ended);
    await one.learn(ended);
    expect([one.find(old), one.find(fresh), one.find(ended)]).toEqual([
      expect.anything(),
      expect.anything(),
      undefined,
    ]);
    await expect(one.endWhere(() => true)).rejects.toMatchObject({ code: 'store-away' });
    await postgres.start();
    await vi.waitFor(() => expect(one.database.state().isUp).toBe(true), PATIENCE);
    // The database still has it.
    await one.learn(ended);
    expect(one.find(ended)).toBeUndefined();
    await one.writeWaiting();
    await vi.waitFor(() => expect(two.find(fresh)).toBeDefined(), PATIENCE);
    expect([two.find(old), two.find(ended)]).toEqual([expect.anything(), undefined]);
    const restarted = await openPortal(one.database);
    await restarted.learn(old);
    expect(restarted.find(old)).toBeDefined();
  });

  test('one that has just been started is not lost by sessions that were read before it', async () => {
    const database = await openTestDatabase();
    let held: Promise<void> | undefined;
    let reads = 0;
    let follow = async (): Promise<void> => undefined;
    const slow: Database = {
      ...database,
      read: async (sql, values) => {
        const rows = await database.read<never>(sql, values);
        reads += 1;
        await held;
        return rows;
      },
      watch: (_topic, given) => {
        follow = () => given({ isRewound: false });
        return () => undefined;
      },
    };
    const opened = await openPortal(slow);
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    const following = follow();
    await vi.waitFor(() => expect(reads).toBe(1), PATIENCE);
    const cookies = cookiesOf(await opened.start(START));
    held = undefined;
    release();
    await following;
    expect(opened.find(cookies)).toBeDefined();
  });

  test('a cookie that nobody knows is asked for once', async () => {
    const database = await openTestDatabase();
    let asked = 0;
    const read: Database['read'] = (sql, values) => {
      asked += 1;
      return database.read(sql, values);
    };
    const opened = openSessions({ database: { ...database, read }, now: () => clock, log });
    const stranger = { cookies: `waypost.console=${'x'.repeat(43)}`, isSecure: false };
    for (let times = 0; times < 3; times += 1) {
      await opened.learn(stranger);
      expect(opened.find(stranger)).toBeUndefined();
    }
    expect(asked).toBe(1);
  });
});
