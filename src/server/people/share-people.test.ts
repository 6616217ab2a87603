import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PASSWORD, type TestPeople, codeOf, createTestPeople } from '../testing/test-people.ts';
import { useRedis } from '../testing/use-redis.ts';
import {
  changeRole,
  endSessionsOf,
  findPerson,
  hasAccounts,
  invitePerson,
  makeToken,
  removePerson,
  resetPerson,
} from './manage-people.ts';
import { openDatabase } from '../store/open-database.ts';
import { openPeople } from './open-people.ts';
import { type PeopleStore, openPeopleStore } from './people-store.ts';
import { sharePeople } from './share-people.ts';

const PREFIX = 'waypost:{people}';
const KEY = `${PREFIX}:people`;
const FROM = { prefix: '203.0.113.0/24' };
const log = pino({ level: 'silent' });

const { redis, takeAway, bringBack } = useRedis();

type TestPortalPeople = TestPeople & {
  readonly dataDir: string;
  readonly reopen: () => Promise<TestPortalPeople>;
};

const clock = { now: Date.UTC(2026, 10, 16) };

async function openPortal(dataDir?: string, asked = redis): Promise<TestPortalPeople> {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), 'waypost-share-')));
  if (dataDir === undefined) onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const own = await openPeopleStore(dir);
  const store = await sharePeople({ own, redis: asked, prefix: PREFIX, dataDir: dir, log });
  await store.refresh();
  return { ...createTestPeople(clock, store), dataDir: dir, reopen: () => openPortal(dir) };
}

const invite = (store: PeopleStore, name: string) =>
  store.update((people) => invitePerson(people, { name, role: 'viewer', now: clock.now }));
const namesIn = ({ store }: TestPeople) =>
  store
    .read()
    .people.map(({ name }) => name)
    .toSorted();
const change = (
  { store }: TestPeople,
  edit: (people: ReturnType<PeopleStore['read']>) => ReturnType<PeopleStore['read']>,
) => store.update((people) => ({ next: edit(people), result: undefined }));

async function refreshAll(...portals: readonly TestPeople[]): Promise<void> {
  for (let times = 0; times < 3; times += 1) for (const { store } of portals) await store.refresh();
}

async function withoutRedis(job: () => Promise<void>): Promise<void> {
  await takeAway();
  await job();
  await bringBack();
}

test.each([
  ['the people', 'people.json'],
  ['what was agreed on', 'people-shared.json.tmp'],
])('a disk that hangs with %s keeps nobody waiting', async (_name, file) => {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-share-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const own = await openPeopleStore(dir, { diskLimitMs: 50 });
  const store = await sharePeople({ own, redis, prefix: PREFIX, dataDir: dir, log, diskLimitMs: 50 });
  await promisify(execFile)('mkfifo', [join(dir, file)]);
  let answered = 0;
  const refreshing = store.refresh().catch(() => undefined);
  const inviting = ['li.wei', 'mei'].map((name) =>
    invite(store, name)
      .catch(() => undefined)
      .finally(() => (answered += 1)),
  );
  try {
    await vi.waitFor(() => expect(answered).toBe(2));
  } finally {
    // Lets go of the thread that opens it, and waits for those who waited for it.
    const pipe = await open(join(dir, file), 'r+');
    await rm(join(dir, file));
    await pipe.close();
    await Promise.all([refreshing, ...inviting]);
    await vi.waitFor(() => own.refresh());
  }
});

describe('people of several portals', () => {
  test('sign in on any of them, and a change ends their sessions on all', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    await one.add('otto', 'owner');
    const { secret } = await one.add('mei', 'editor');
    await two.store.refresh();
    const proof = { password: PASSWORD, code: codeOf(secret, (clock.now += 60_000)) };
    const signedIn = await two.accounts.signIn('mei', proof, FROM);
    expect(signedIn).toMatchObject({ name: 'mei', role: 'editor' });
    // The code is used up on the other one, too.
    await one.store.refresh();
    expect(await one.accounts.signIn('mei', proof, FROM)).toBeUndefined();
    await change(one, (people) => endSessionsOf(people, 'mei'));
    await change(one, (people) => changeRole(people, 'mei', 'viewer'));
    await two.store.refresh();
    expect(findPerson(two.store.read(), 'mei')).toMatchObject({
      role: 'viewer',
      epoch: (signedIn?.epoch ?? 0) + 2,
    });
    await change(two, (people) => removePerson(people, 'mei'));
    await one.store.refresh();
    expect(namesIn(one)).toEqual(['otto']);
    // It is in the files of both, for the time after Redis.
    expect(namesIn(await one.reopen())).toEqual(['otto']);
    expect(await readFile(join(two.dataDir, 'people.json'), 'utf8')).not.toContain('mei');
  });

  test('are all there after many were invited on two portals at once, and nobody twice', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => [
        invite(one.store, `one ${index}`),
        invite(two.store, `two ${index}`),
      ])
        .flat()
        .concat([invite(one.store, 'same'), invite(two.store, 'Same')]),
    );
    await refreshAll(one, two);
    expect(namesIn(one)).toHaveLength(41);
    expect(namesIn(two)).toEqual(namesIn(one));
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'name-taken' } },
    ]);
  });

  test('who were added on the command line of one machine are known to all, and a reset counts', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    await one.add('otto', 'owner');
    await two.store.refresh();
    const command = await openPeopleStore(two.dataDir);
    await invite(command, 'li.wei');
    await command.update((people) => resetPerson(people, 'otto', clock.now));
    // At the same moment something else happens on the other portal.
    await invite(one.store, 'mei');
    await refreshAll(two, one);
    expect(namesIn(one)).toEqual(['li.wei', 'mei', 'otto']);
    expect(findPerson(one.store.read(), 'otto')).toMatchObject({
      invitation: { endsAt: expect.any(Number) as number },
    });
    expect(findPerson(one.store.read(), 'otto')?.signIn).toBeUndefined();
  });

  test('of portals that were alone before are put together', async () => {
    const dirs = [await openPortal(), await openPortal()].map(({ dataDir }) => dataDir);
    for (const [index, dir] of dirs.entries()) {
      const alone = await openPeopleStore(dir);
      await invite(alone, 'both');
      await invite(alone, `only ${index}`);
    }
    const [one, two] = [await openPortal(dirs[0]), await openPortal(dirs[1])];
    await refreshAll(one, two);
    expect([namesIn(one), namesIn(two)]).toEqual([
      ['both', 'only 0', 'only 1'],
      ['both', 'only 0', 'only 1'],
    ]);
  });
});

describe('a Redis that forgets everything', () => {
  test('gets the newest people back, and whoever was removed stays removed', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    for (const name of ['li.wei', 'mei']) await invite(one.store, name);
    await two.store.refresh();
    await one.store.update((people) =>
      makeToken(people, { name: 'ci', role: 'viewer', madeBy: 'x', days: 1, now: clock.now }),
    );
    await change(one, (people) => removePerson(people, 'mei'));
    await redis.ask((client) => client.flushAll());
    // The one that has not heard of it is first.
    await refreshAll(await two.reopen(), one, two);
    expect([namesIn(one), namesIn(two)]).toEqual([['li.wei'], ['li.wei']]);
    expect(two.store.read().tokens).toMatchObject([{ name: 'ci' }]);
  });

  test('in the middle of a change loses none of two changes', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    for (const name of ['li.wei', 'mei']) await invite(one.store, name);
    await two.store.refresh();
    await change(one, (people) => removePerson(people, 'mei'));
    await redis.ask((client) => client.flushAll());
    await invite(two.store, 'anna');
    await refreshAll(one, two);
    expect([namesIn(one), namesIn(two)]).toEqual([
      ['anna', 'li.wei'],
      ['anna', 'li.wei'],
    ]);
  });
});

describe('while Redis is away', () => {
  test('nobody is changed, and everybody can sign in, with each code once on each portal', async () => {
    const [one, two] = [await openPortal(), await openPortal()];
    const { secret, recoveryCodes } = await one.add('otto', 'owner');
    await refreshAll(one, two);
    const proof = { password: PASSWORD, code: codeOf(secret, (clock.now += 60_000)) };
    const recovery = { password: PASSWORD, code: recoveryCodes[0] ?? '' };
    await withoutRedis(async () => {
      await expect(invite(one.store, 'mei')).rejects.toMatchObject({
        status: 503,
        code: 'people-unavailable',
        message: expect.stringMatching(/^Redis cannot be used/) as string,
      });
      await refreshAll(one, two);
      expect(await one.accounts.signIn('otto', proof, FROM)).toMatchObject({ name: 'otto' });
      expect(await one.accounts.signIn('otto', proof, FROM)).toBeUndefined();
      expect(await two.accounts.signIn('otto', recovery, FROM)).toMatchObject({ name: 'otto' });
      expect(await two.accounts.signIn('otto', recovery, FROM)).toBeUndefined();
    });
    await refreshAll(one, two);
    expect(await two.accounts.signIn('otto', proof, FROM)).toBeUndefined();
    expect(await one.accounts.signIn('otto', recovery, FROM)).toBeUndefined();
    expect(findPerson(one.store.read(), 'otto')).toEqual(findPerson(two.store.read(), 'otto'));
    await invite(one.store, 'mei');
  });

  test('a portal that starts knows its people', async () => {
    const one = await openPortal();
    await invite(one.store, 'mei');
    await withoutRedis(async () => expect(namesIn(await one.reopen())).toEqual(['mei']));
  });
});

test('a change whose answer is lost is not called undone, and shows when Redis is back', async () => {
  let isLost = false;
  const one = await openPortal(undefined, {
    ...redis,
    ask: async (question) => {
      const answer = await redis.ask(question);
      if (isLost && Object.is(answer, 'done')) throw new Error('the answer is lost');
      return answer;
    },
  });
  isLost = true;
  await expect(invite(one.store, 'mei')).rejects.toMatchObject({
    status: 503,
    code: 'people-uncertain',
    message: 'Redis does not answer. Look again later: the change may have been made.',
  });
  isLost = false;
  await one.store.refresh();
  expect(namesIn(one)).toEqual(['mei']);
});

test.each(['{"version":1', '{"version":2,"people":[],"tokens":[]}', 'x'.repeat(3_000_000), ''])(
  'people that are damaged in Redis are never taken over, and are put right (%#)',
  async (text) => {
    const one = await openPortal();
    await invite(one.store, 'mei');
    for (const head of ['9 abc', `9 ${'a'.repeat(64)}`, undefined]) {
      await redis.ask((client) => client.hSet(KEY, head === undefined ? { text } : { text, head }));
      expect(namesIn(await openPortal())).toEqual([]);
      await refreshAll(one);
      const two = await openPortal();
      await refreshAll(one, two);
      expect([namesIn(one), namesIn(two)]).toEqual([['mei'], ['mei']]);
    }
  },
);

test('people that a portal of a later version has written are not replaced, and everybody can sign in', async () => {
  const one = await openPortal();
  const { secret } = await one.add('otto', 'owner');
  const text = '{"version":2,"people":[],"tokens":[]}';
  const head = `9 ${createHash('sha256').update(text).digest('hex')}`;
  await redis.ask((client) => client.hSet(KEY, { head, text }));
  await refreshAll(one);
  await expect(invite(one.store, 'mei')).rejects.toMatchObject({ code: 'people-unavailable' });
  const proof = { password: PASSWORD, code: codeOf(secret, (clock.now += 60_000)) };
  expect(await one.accounts.signIn('otto', proof, FROM)).toMatchObject({ name: 'otto' });
  expect(await redis.ask((client) => client.hGet(KEY, 'head'))).toBe(head);
});

test('a new portal knows the accounts before anybody asks it', async () => {
  await (await openPortal()).add('otto', 'owner');
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-share-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ dataDir, log });
  onTestFinished(database.close);
  const { store } = await openPeople({
    dataDir,
    database,
    shared: { redis, prefix: PREFIX },
    siteName: () => '',
    log,
    now: () => clock.now,
  });
  expect(hasAccounts(store.read())).toBe(true);
});

test('a portal that has lost its file gets it back, and removes nobody', async () => {
  const [one, two] = [await openPortal(), await openPortal()];
  await invite(one.store, 'mei');
  await two.store.refresh();
  await rm(join(two.dataDir, 'people.json'));
  await refreshAll(await two.reopen(), one);
  await rm(join(one.dataDir, 'people.json'));
  await refreshAll(one, two);
  expect([namesIn(one), namesIn(two)]).toEqual([['mei'], ['mei']]);
});

test('a portal whose disk is full says so, and takes the change over later', async () => {
  const [one, two] = [await openPortal(), await openPortal()];
  await invite(one.store, 'mei');
  // A folder in the place of the unfinished file: not even root can write it.
  await mkdir(join(one.dataDir, 'people.json.tmp'));
  await expect(invite(one.store, 'anna')).rejects.toMatchObject({
    code: 'people-uncertain',
    message: expect.stringMatching(/^The other portals know of the change/) as string,
  });
  await two.store.refresh();
  expect([namesIn(one), namesIn(two)]).toEqual([['mei'], ['anna', 'mei']]);
  await rm(join(one.dataDir, 'people.json.tmp'), { recursive: true });
  await one.store.refresh();
  expect(namesIn(one)).toEqual(['anna', 'mei']);
});

test('what was agreed on is written again after a write has failed', async () => {
  const { store, dataDir } = await openPortal();
  const file = join(dataDir, 'people-shared.json');
  await mkdir(`${file}.tmp`);
  await invite(store, 'mei');
  await rm(`${file}.tmp`, { recursive: true });
  await store.refresh();
  expect(await readFile(file, 'utf8')).toContain('mei');
});

test.each([
  ['damaged', (file: string) => writeFile(file, '{"head":')],
  ['not readable', (file: string) => rm(file).then(() => mkdir(file))],
])('where what was agreed on is %s, whoever was removed elsewhere stays removed', async (_name, spoil) => {
  const [one, two] = [await openPortal(), await openPortal()];
  for (const name of ['li.wei', 'mei']) await invite(one.store, name);
  await two.store.refresh();
  await change(one, (people) => removePerson(people, 'mei'));
  await spoil(join(two.dataDir, 'people-shared.json'));
  const again = await two.reopen();
  await refreshAll(again, one);
  expect([namesIn(one), namesIn(again)]).toEqual([['li.wei'], ['li.wei']]);
});
