import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database, Row, Value } from '../store/database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { EDITOR, OWNER, type TestDesk, openTestDesk } from '../testing/test-desk.ts';
import { writeCountryMmdb } from '../testing/write-mmdb.ts';
import { followSite } from './follow-site.ts';

const OWN = { draft: 'own' } as const;
const FOLDER_DRAFT = { draft: 'folder' } as const;

let postgres: TestPostgres;
let url: string;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  url = await postgres.createDatabase();
});

/** Two portals that have one database, and folders of their own. */
async function openPair(): Promise<readonly [TestDesk, TestDesk]> {
  const [one, two] = [await openTestDesk({ url }), await openTestDesk({ url })];
  await two.noticeFolder();
  for (const { follow } of [one, two]) follow();
  return [one, two];
}

const setAccent = (value: string) => ({ path: ['theme', 'accent'], value });
const edit = (value: string) => ({ file: 'site.json', edits: [setAccent(value)] });
const publish = (basedOn: number) => ({ ...OWN, why: '', basedOn });
const served = ({ keeper }: TestDesk) => {
  const { version, config } = keeper.current();
  return [version, config.theme.accent];
};
const waitFor = (test: TestDesk, wanted: readonly [number, string]) =>
  vi.waitFor(() => expect(served(test)).toEqual(wanted), PATIENCE);

test('a version that is published on one portal is served by the other one, which has the same list', async () => {
  const [one, two] = await openPair();
  await one.desk.edit(EDITOR, edit('#5ec28f'));
  await one.desk.publish(EDITOR, publish(1));
  await waitFor(two, [2, '#5ec28f']);
  expect(await two.desk.listVersions()).toEqual(await one.desk.listVersions());
  await two.desk.restore(OWNER, { number: 1, why: '', basedOn: 2 });
  await waitFor(one, [3, '#e0b34c']);
});

test('a draft is the same on both portals, and two edits at once lose nothing', async () => {
  const [one, two] = await openPair();
  await Promise.all([
    one.desk.edit(EDITOR, edit('#5ec28f')),
    two.desk.edit(EDITOR, { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'other' }] }),
  ]);
  const changes = (await one.desk.summarize(EDITOR, OWN))?.changes ?? [];
  expect(changes).toHaveLength(2);
  expect(JSON.stringify(changes)).toMatch(/lines\.marker.*theme\.accent|theme\.accent.*lines\.marker/);
  await two.desk.publish(EDITOR, publish(1));
  expect(await one.desk.summarize(EDITOR, OWN)).toBeUndefined();
});

test('of two people who publish at once on two portals one wins, and the other one is shown the difference', async () => {
  const [one, two] = await openPair();
  await one.desk.edit(EDITOR, edit('#111111'));
  await two.desk.edit(OWNER, edit('#222222'));
  const outcomes = await Promise.allSettled([
    one.desk.publish(EDITOR, publish(1)),
    two.desk.publish(OWNER, publish(1)),
  ]);
  const [winner, loser] =
    outcomes[0]?.status === 'fulfilled' ? (['#111111', 1] as const) : (['#222222', 0] as const);
  expect(outcomes[loser]).toMatchObject({
    status: 'rejected',
    reason: {
      code: 'version-conflict',
      details: {
        current: { number: 2 },
        changes: [{ path: 'theme.accent', after: JSON.stringify(winner) }],
        conflicts: [{ file: 'site.json', path: 'theme.accent' }],
      },
    },
  });
  await Promise.all([waitFor(one, [2, winner]), waitFor(two, [2, winner])]);
});

test('a portal that was away has all versions, and serves the newest', async () => {
  const one = await openTestDesk({ url });
  for (const [index, accent] of ['#111111', '#222222', '#333333'].entries()) {
    await one.desk.edit(EDITOR, edit(accent));
    await one.desk.publish(EDITOR, publish(index + 1));
  }
  const two = await openTestDesk({ url });
  expect(served(two)).toEqual([4, '#333333']);
  expect(await two.desk.compare(2, 3)).toMatchObject([{ before: '"#111111"', after: '"#222222"' }]);
});

test('two portals that start at once on an empty database have one first version', async () => {
  const [one, two] = await Promise.all([openTestDesk({ url }), openTestDesk({ url })]);
  for (const { follow } of [one, two]) follow();
  await Promise.all([waitFor(one, [1, '#e0b34c']), waitFor(two, [1, '#e0b34c'])]);
  expect(await one.desk.listVersions()).toMatchObject([{ number: 1, from: 'start' }]);
  await Promise.all([one.noticeFolder(), two.noticeFolder()]);
  await one.changeFolder(setAccent('#5ec28f'));
  await one.noticeFolder();
  await waitFor(two, [2, '#5ec28f']);
});

test('a portal that starts while another one makes the first version makes no second one', async () => {
  let other: Promise<TestDesk> | undefined;
  const wrap = (database: Database): Database => ({
    ...database,
    async read<R extends Row>(sql: string, values?: readonly Value[]): Promise<readonly R[]> {
      const rows = await database.read<R>(sql, values);
      // There is no version, and now the other portal starts.
      if (rows.length === 0 && sql.includes('from versions')) await (other ??= openTestDesk({ url }));
      return rows;
    },
  });
  const late = await openTestDesk({ url, wrap });
  late.follow();
  await waitFor(late, [1, '#e0b34c']);
  expect(await late.desk.listVersions()).toMatchObject([{ number: 1, from: 'start' }]);
  expect(other).toBeDefined();
});

describe('the site folder of several portals', () => {
  test('that is changed on all of them makes one version, and leads on all of them', async () => {
    const [one, two] = await openPair();
    await Promise.all([one.changeFolder(setAccent('#5ec28f')), two.changeFolder(setAccent('#5ec28f'))]);
    await Promise.all([one.noticeFolder(), two.noticeFolder()]);
    await Promise.all([waitFor(one, [2, '#5ec28f']), waitFor(two, [2, '#5ec28f'])]);
    for (const test of [one, two]) {
      test.clock.now += 2_000;
      await test.noticeFolder();
      expect(await test.desk.summarize(OWNER, FOLDER_DRAFT)).toBeUndefined();
      expect(test.keeper.record().refusal).toBeUndefined();
    }
    await two.changeFolder(setAccent('#777777'));
    await two.noticeFolder();
    expect(served(two)).toEqual([3, '#777777']);
    // It is older than what is live, and has not changed.
    const again = await one.reopen();
    await again.noticeFolder();
    expect(served(again)).toEqual([3, '#777777']);
    expect(await again.desk.summarize(OWNER, FOLDER_DRAFT)).toBeUndefined();
  });

  test('that differs from what was published waits as a draft, and one that nobody has changed does not', async () => {
    const [one, two] = await openPair();
    await one.desk.edit(EDITOR, edit('#5ec28f'));
    await one.desk.publish(EDITOR, publish(1));
    const three = await openTestDesk({ url });
    await three.noticeFolder();
    expect([served(three), await three.desk.summarize(OWNER, FOLDER_DRAFT)]).toEqual([
      [2, '#5ec28f'],
      undefined,
    ]);
    await two.changeFolder(setAccent('#777777'));
    await two.noticeFolder();
    expect(served(two)).toEqual([2, '#5ec28f']);
    expect(await one.desk.summarize(OWNER, FOLDER_DRAFT)).toMatchObject({ basedOn: 1 });
  });
});

test('a portal that lacks the mmdb file of a version goes on with its own, and says so once', async () => {
  const [one, two] = await openPair();
  await writeFile(join(one.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
  await one.changeFolder({ path: ['network'], value: { mmdb: 'country.mmdb' } });
  await one.noticeFolder();
  const count = () =>
    two.logged.filter(({ msg }) => String(msg).startsWith('the version that is live cannot be served here'));
  await vi.waitFor(() => expect(count()).toHaveLength(1), PATIENCE);
  expect(served(two)).toEqual([1, '#e0b34c']);
  await writeFile(join(two.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
  await vi.waitFor(() => expect(two.keeper.current().version).toBe(2), PATIENCE);
  expect(count()).toHaveLength(1);
});

test('a data folder that hangs does not hold up the next version', async () => {
  const { stores, keeper, siteDir } = await openTestDesk();
  const keep = vi.fn<() => Promise<void>>(() => new Promise(() => undefined));
  const lastGood = { keep, read: async () => undefined };
  const source = { isBehind: () => false, setBehind: () => undefined };
  const log = pino({ level: 'silent' });
  await followSite({ stores, source, keeper, siteDir, lastGood, log }).follow({ isRewound: false });
  expect(keep).toHaveBeenCalledOnce();
});

describe('while the database is away', () => {
  test('a portal serves, and starts with its last good copy; one that has none says what to do', async () => {
    const [one, two] = await openPair();
    await one.desk.edit(EDITOR, edit('#5ec28f'));
    await one.desk.publish(EDITOR, publish(1));
    await waitFor(two, [2, '#5ec28f']);
    // The copy is written a moment later.
    await vi.waitFor(async () => {
      const copied = await two.reopen({ url: 'postgres://nobody@127.0.0.1:1/none' });
      expect(served(copied)).toEqual([2, '#5ec28f']);
    }, PATIENCE);
    await postgres.kill();
    const alone = await two.reopen();
    expect(served(alone)).toEqual([2, '#5ec28f']);
    await expect(one.desk.edit(EDITOR, edit('#777777'))).rejects.toMatchObject({ code: 'store-away' });
    await expect(openTestDesk({ url })).rejects.toThrow(
      'This portal has no copy of the site that it could serve meanwhile: start it again when the database is back',
    );
    alone.follow();
    await postgres.start();
    await vi.waitFor(() => one.desk.edit(EDITOR, edit('#777777')), PATIENCE);
    await one.desk.publish(EDITOR, publish(2));
    await waitFor(alone, [3, '#777777']);
  });
});
