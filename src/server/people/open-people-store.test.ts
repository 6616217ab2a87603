import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ROLES } from '../../contract/roles.ts';
import type { Database } from '../store/database.ts';
import { openLastGood } from '../store/open-last-good.ts';
import { type DatabasePlace, openDatabase } from '../store/open-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { PASSWORD, type TestPeople, codeOf, createTestPeople } from '../testing/test-people.ts';
import { changeRole, findPerson, invitePerson, makeToken, removePerson } from './manage-people.ts';
import {
  type OpenedPeopleStore,
  type People,
  type PeopleStore,
  openPeopleStore,
} from './open-people-store.ts';

const log = pino({ level: 'silent' });
const FROM = { prefix: '203.0.113.0/24' };
const clock = { now: Date.UTC(2026, 10, 16) };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

type TestPortalPeople = Omit<TestPeople, 'store'> & {
  readonly store: OpenedPeopleStore;
  readonly database: Database;
};

async function createPlace(engine: 'SQLite' | 'PostgreSQL'): Promise<DatabasePlace> {
  return {
    dataDir: await createFolder(),
    url: engine === 'SQLite' ? undefined : await postgres.createDatabase(),
  };
}

async function createFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-people-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

/** The people of one portal, or of a command. */
async function open(place: DatabasePlace): Promise<TestPortalPeople> {
  const database = await openDatabase({ ...place, log });
  const lastGood = openLastGood({ dataDir: place.dataDir, database, log });
  const store = await openPeopleStore({ database, lastGood, log });
  const stop = store.follow();
  onTestFinished(async () => {
    stop();
    await database.close();
  });
  return { ...createTestPeople(clock, { kept: store }), store, database };
}

const invite = (store: PeopleStore, name: string) =>
  store.update((people) => invitePerson(people, { name, role: 'viewer', now: clock.now }));
const change = ({ store }: { readonly store: PeopleStore }, edit: (people: People) => People) =>
  store.update((people) => ({ next: edit(people), result: undefined }));
const namesIn = ({ store }: { readonly store: PeopleStore }) => store.read().people.map(({ name }) => name);

describe.each(['SQLite', 'PostgreSQL'] as const)('people in %s', (engine) => {
  test('are the same on two portals after each change of one of them', async () => {
    const place = await createPlace(engine);
    const [one, two] = [await open(place), await open(place)];
    await one.add('otto', 'owner');
    await one.add('mei', 'editor');
    await one.store.update((people) =>
      makeToken(people, { name: 'ci', role: 'viewer', madeBy: 'mei', days: 1, now: clock.now }),
    );
    await vi.waitFor(() => expect(two.store.read()).toEqual(one.store.read()), PATIENCE);
    await change(two, (people) => changeRole(people, 'otto', 'owner'));
    await change(two, (people) => removePerson(people, 'mei'));
    await vi.waitFor(() => expect(namesIn(one)).toEqual(['otto']), PATIENCE);
    expect(one.store.read()).toEqual(two.store.read());
    expect(one.store.read().tokens).toEqual([]);
  });

  test('are all there after many were invited on two portals at once, and nobody twice', async () => {
    const place = await createPlace(engine);
    const [one, two] = [await open(place), await open(place)];
    const results = await Promise.allSettled([
      ...Array.from({ length: 8 }, (_, index) =>
        invite(index % 2 === 0 ? one.store : two.store, `person ${index}`),
      ),
      invite(one.store, 'same'),
      invite(two.store, 'Same'),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'name-taken' } },
    ]);
    await vi.waitFor(() => expect(namesIn(one)).toHaveLength(9), PATIENCE);
    await vi.waitFor(() => expect(two.store.read()).toEqual(one.store.read()), PATIENCE);
  });

  test('are read as they were written', async () => {
    const text = fc.string({ minLength: 1, maxLength: 40 });
    const number = fc.nat({ max: 2 ** 47 });
    const person = fc.record(
      {
        name: fc.stringMatching(/^[a-z\u4e00-\u9fff]{1,20}$/),
        role: fc.constantFrom(...ROLES),
        createdAt: number,
        epoch: number,
        signIn: fc.record({
          passwordHash: text,
          secret: text,
          lastStep: number,
          recoveryCodes: fc.array(text),
          prefixes: fc.array(text),
        }),
        invitation: fc.record({ hash: text, secret: text, endsAt: number }),
      },
      { requiredKeys: ['name', 'role', 'createdAt', 'epoch'] },
    );
    const people = fc.uniqueArray(person, { selector: ({ name }) => name, maxLength: 5 });
    const place = await createPlace(engine);
    const { store } = await open(place);
    const property = fc.asyncProperty(people, async (next) => {
      await change({ store }, (before) => ({ ...before, people: next }));
      const again = (await open(place)).store.read().people;
      const byName = (list: People['people']) => new Map(list.map((each) => [each.name, each]));
      // toEqual makes no difference between nothing and a missing key.
      expect(byName(again)).toEqual(byName(next));
    });
    await fc.assert(property, { numRuns: 5 });
  });

  test('stay as they were if a change is refused', async () => {
    const { store } = await open(await createPlace(engine));
    await invite(store, 'li.wei');
    await expect(invite(store, 'Li.Wei')).rejects.toThrow(
      'There is already somebody, or a token, with the name "Li.Wei".',
    );
    await invite(store, 'mei');
    expect(namesIn({ store })).toEqual(['li.wei', 'mei']);
  });
});

test('neither a change of this portal nor a code that waits is lost by people who were read before it', async () => {
  const { database, store: kept } = await open(await createPlace('SQLite'));
  await invite(kept, 'mei');
  const state = { isUp: true, since: 0, rewoundAt: undefined };
  let held: Promise<void> | undefined;
  let reads = 0;
  const slow: Database = {
    ...database,
    state: () => state,
    read: async (sql, values) => {
      const rows = await database.read<never>(sql, values);
      reads += 1;
      await held;
      return rows;
    },
  };
  let follow = async (): Promise<void> => undefined;
  const watched: Database = {
    ...slow,
    watch: (_topic, given) => {
      follow = () => given({ isRewound: false });
      return () => undefined;
    },
  };
  const lastGood = openLastGood({ dataDir: '', database: { isShared: false, brand: 'main' }, log });
  const store = await openPeopleStore({ database: watched, lastGood, log });
  store.follow();
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  const before = reads;
  const following = follow();
  await vi.waitFor(() => expect(reads).toBeGreaterThan(before), PATIENCE);
  await invite(store, 'anna');
  held = undefined;
  release();
  await following;
  expect(namesIn({ store })).toEqual(['anna', 'mei']);

  const removeMei = (people: People) => ({
    next: { ...people, people: people.people.filter(({ name }) => name !== 'mei') },
    result: undefined,
  });
  state.isUp = false;
  await store.update(removeMei, { whileAway: removeMei });
  await follow();
  expect(namesIn({ store })).toEqual(['anna']);
  expect(namesIn({ store: kept })).toContain('mei');
  await store.writeWaiting();
  await vi.waitFor(() => expect(namesIn({ store: kept })).toEqual(['anna']), PATIENCE);
});

describe('while PostgreSQL is away', () => {
  async function withoutPostgres(job: () => Promise<void>): Promise<void> {
    await postgres.kill();
    try {
      await job();
    } finally {
      await postgres.start();
    }
  }

  test('nobody is changed, and everybody signs in with a code of the app, which each portal takes once', async () => {
    const url = await postgres.createDatabase();
    const [one, two] = [
      await open({ dataDir: await createFolder(), url }),
      await open({ dataDir: await createFolder(), url }),
    ];
    const { secret, recoveryCodes } = await one.add('otto', 'owner');
    await vi.waitFor(() => expect(two.store.read()).toEqual(one.store.read()), PATIENCE);
    const proof = { password: PASSWORD, code: codeOf(secret, (clock.now += 60_000)) };
    const recovery = { password: PASSWORD, code: recoveryCodes[0] ?? '' };
    await withoutPostgres(async () => {
      await expect(invite(one.store, 'mei')).rejects.toMatchObject({ code: 'store-away' });
      expect(await one.accounts.signIn('otto', proof, FROM)).toMatchObject({ name: 'otto' });
      expect(await one.accounts.signIn('otto', proof, FROM)).toBeUndefined();
      await expect(one.accounts.signIn('otto', recovery, FROM)).rejects.toMatchObject({
        code: 'recovery-code-away',
      });
    });
    // As soon as the database is back, the code is used up everywhere, and the recovery code works.
    await vi.waitFor(one.store.writeWaiting, PATIENCE);
    await vi.waitFor(() => expect(two.database.state().isUp).toBe(true), PATIENCE);
    expect(await two.accounts.signIn('otto', proof, FROM)).toBeUndefined();
    expect(await two.accounts.signIn('otto', recovery, FROM)).toMatchObject({ name: 'otto' });
    await vi.waitFor(() => expect(one.store.read()).toEqual(two.store.read()), PATIENCE);
    expect(findPerson(one.store.read(), 'otto')?.signIn?.recoveryCodes).toHaveLength(9);
  });

  test('a portal that starts knows the people that it knew last, and those of others when it is back', async () => {
    const url = await postgres.createDatabase();
    const place = { dataDir: await createFolder(), url };
    const { store } = await open(place);
    await invite(store, 'mei');
    const copy = join(place.dataDir, 'last-good', 'people');
    await vi.waitFor(async () => expect(await readFile(copy, 'utf8')).toContain('mei'), PATIENCE);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const damaged = await createFolder();
    let started: TestPortalPeople | undefined;
    await withoutPostgres(async () => {
      started = await open(place);
      expect([namesIn(started), started.store.isKnown()]).toEqual([['mei'], true]);
      // Without a copy that can be read it starts, too.
      await openLastGood({ dataDir: damaged, database: started.database, log }).keep(
        'people',
        Buffer.from('{"people":'),
      );
      const stranger = await open({ dataDir: damaged, url });
      expect([namesIn(stranger), stranger.store.isKnown()]).toEqual([[], false]);
    });
    await vi.waitFor(() => invite(store, 'anna'), PATIENCE);
    await vi.waitFor(() => expect(started && namesIn(started)).toEqual(['anna', 'mei']), PATIENCE);
  });
});
