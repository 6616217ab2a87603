import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { writeCountryMmdb } from '../testing/write-mmdb.ts';
import { EDITOR, OWNER, type TestDesk, openTestDesk } from '../testing/test-desk.ts';
import { useRedis } from '../testing/use-redis.ts';
import type { DeskPerson } from './create-drafts.ts';
import type { VersionRecord } from './version-store.ts';
import { PATIENCE } from '../testing/patience.ts';

const ROUNDS = tenthOf(500);
const KEY = 'waypost:{北辰体育（虚构示范）}:version';
const ANNA: DeskPerson = { name: 'anna', role: 'owner' };

const { redis, takeAway, bringBack, server } = useRedis();

async function openPair(): Promise<readonly [TestDesk, TestDesk]> {
  const one = await openTestDesk({ redis });
  await one.exchange();
  const two = await openTestDesk({ redis });
  await two.noticeFolder();
  return [one, two];
}

const setAccent = (value: string) => ({ path: ['theme', 'accent'], value });
const accentOf = (number: number): string => `#${String(400_000 + number)}`;

async function publish(
  { desk }: TestDesk,
  accent: string,
  person: DeskPerson = EDITOR,
): Promise<{ number: number }> {
  await desk.edit(person, { file: 'site.json', edits: [setAccent(accent)] });
  const { number: basedOn } = await desk.current();
  return desk.publish(person, { draft: 'own', why: `to ${accent}`, basedOn });
}

const served = ({ keeper }: TestDesk) => {
  const { version, config } = keeper.current();
  return [version, config.theme.accent];
};

async function exchangeAll(...desks: readonly TestDesk[]): Promise<void> {
  // The first may offer what the second takes over, and the other way round.
  for (let times = 0; times < 3; times += 1) for (const { exchange } of desks) await exchange();
}

/** Puts a record into Redis as a portal would, whatever is in it. */
async function plant(record: VersionRecord, objects: Record<string, string> = {}): Promise<void> {
  const files = Object.fromEntries(Object.entries(record.files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify({ ...record, files });
  const head = `${record.number} ${createHash('sha256').update(text).digest('hex')}`;
  await redis.ask(async (client) => {
    await client.hSet(KEY, { head, text });
    for (const [hash, bytes] of Object.entries(objects)) {
      await client.hSet(`${KEY}:objects`, hash, Buffer.from(bytes).toString('base64'));
    }
  });
}

describe('a version that is published on one portal', () => {
  test('is served by the other one, under the same number and with who, when and why', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await two.exchange();
    expect(served(two)).toEqual([2, '#5ec28f']);
    expect(await two.desk.current()).toEqual(await one.desk.current());
    expect([one, two].map(({ desk }) => desk.isShared)).toEqual([true, true]);
    expect(await two.desk.current()).toMatchObject({ by: 'eve', from: 'console', why: 'to #5ec28f' });
    await two.desk.restore(OWNER, { number: 1, why: '', basedOn: 2 });
    await one.exchange();
    expect([served(one), await one.desk.listVersions()]).toEqual([
      [3, '#e0b34c'],
      await two.desk.listVersions(),
    ]);
  });

  test('leaves the drafts of the other one alone, which are then applied on top', async () => {
    const [one, two] = await openPair();
    await two.desk.edit(ANNA, { file: 'site.json', edits: [{ path: ['lines', 'marker'], value: 'new' }] });
    await publish(one, '#5ec28f');
    await two.exchange();
    await expect(two.desk.publish(ANNA, { draft: 'own', why: '', basedOn: 2 })).rejects.toMatchObject({
      code: 'version-conflict',
    });
    await two.desk.rebase(ANNA, { draft: 'own' });
    await two.desk.publish(ANNA, { draft: 'own', why: '', basedOn: 2 });
    await one.exchange();
    expect(served(one)).toEqual([3, '#5ec28f']);
    expect(one.keeper.current().config.lines.marker).toBe('new');
  });

  test('is taken over although the disk of the publisher was full', async () => {
    let isFull = false;
    const write = async (path: string, bytes: Uint8Array): Promise<void> => {
      if (isFull && path.endsWith('current'))
        throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
      await writeFile(path, bytes);
    };
    const one = await openTestDesk({ redis, write });
    await one.exchange();
    const two = await openTestDesk({ redis });
    isFull = true;
    await expect(publish(one, '#5ec28f')).rejects.toThrow(
      'Version 2 is published, but this portal cannot write it',
    );
    await two.exchange();
    expect([served(one), served(two)]).toEqual([
      [1, '#e0b34c'],
      [2, '#5ec28f'],
    ]);
    isFull = false;
    one.clock.now += 10_000;
    await one.exchange();
    expect(served(one)).toEqual([2, '#5ec28f']);
  });
});

describe('two editors on two portals', () => {
  test('who publish at the same moment: one wins, and the other one sees the difference', async () => {
    const [one, two] = await openPair();
    const results = await Promise.allSettled([publish(one, '#5ec28f'), publish(two, '#777777', ANNA)]);
    const lost = results.findIndex(({ status }) => status === 'rejected');
    const [winner, loser] = lost === 1 ? ['#5ec28f', results[1]] : ['#777777', results[0]];
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(loser).toMatchObject({
      reason: {
        code: 'version-conflict',
        details: {
          current: { number: 2, why: `to ${winner}` },
          changes: [{ path: 'theme.accent', after: JSON.stringify(winner) }],
          conflicts: [{ file: 'site.json', path: 'theme.accent' }],
        },
      },
    });
    expect([served(one), served(two)]).toContainEqual([2, winner]);
  });

  test(`lose no version in ${ROUNDS} rounds, and end with the same one`, { timeout: 1_800_000 }, async () => {
    const [one, two] = await openPair();
    let published = 0;
    let shown = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = Math.max(one.stores.versions.currentNumber(), two.stores.versions.currentNumber());
      const tries = [
        tryToPublish(one, accentOf(2 * round), EDITOR),
        tryToPublish(two, accentOf(2 * round + 1), ANNA),
        // Portals look for versions at any moment, also in the middle of a publication.
        ...(round % 3 === 0 ? [one.exchange(), two.exchange()] : []),
      ];
      await Promise.all(tries);
      await exchangeAll(one, two);
      // One of the two, or both one after the other, never none.
      const after = one.stores.versions.currentNumber();
      expect(after - before).toBeGreaterThanOrEqual(1);
      expect(served(one)).toEqual(served(two));
    }
    const [list, other] = [await one.desk.listVersions(), await two.desk.listVersions()];
    expect(list).toEqual(other);
    expect(list.map(({ number }) => number)).toEqual(
      Array.from({ length: published + 1 }, (_, index) => published + 1 - index),
    );
    expect(published + shown).toBe(2 * ROUNDS);

    async function tryToPublish(desk: TestDesk, accent: string, person: DeskPerson): Promise<void> {
      try {
        await publish(desk, accent, person);
        published += 1;
      } catch (error) {
        expect(error).toMatchObject({
          code: 'version-conflict',
          details: { changes: [{ path: 'theme.accent' }] },
        });
        shown += 1;
        await desk.desk.discard(person, { draft: 'own' });
      }
    }
  });
});

describe('a Redis that forgets everything', () => {
  test('gets the newest version back from whoever has it', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await redis.ask((client) => client.flushAll());
    // The one with the older version is first.
    await exchangeAll(two, one);
    expect([served(one), served(two)]).toEqual([
      [2, '#5ec28f'],
      [2, '#5ec28f'],
    ]);
    const three = await openTestDesk({ redis });
    expect(served(three)).toEqual([2, '#5ec28f']);
  });

  test('in the middle of a publication ends in one version everywhere, and loses none', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await redis.ask((client) => client.flushAll());
    // Before the first portal is back, somebody publishes on the second.
    await two.exchange();
    await publish(two, '#777777', ANNA);
    expect([served(one), served(two)]).toEqual([
      [2, '#5ec28f'],
      [2, '#777777'],
    ]);
    await exchangeAll(one, two);
    expect([served(one), served(two)]).toEqual([
      [3, '#777777'],
      [3, '#777777'],
    ]);
    await one.desk.restore(OWNER, { number: 2, why: '', basedOn: 3 });
    expect(served(one)).toEqual([4, '#5ec28f']);
  });

  test(
    `killed while portals publish, ${ROUNDS / 10} times, ends in one version everywhere`,
    { timeout: 1_800_000 },
    async () => {
      const [one, two] = await openPair();
      for (let round = 1; round <= ROUNDS / 10; round += 1) {
        const known = one.stores.versions.currentNumber();
        const results = Promise.allSettled([
          publish(one, accentOf(2 * round)),
          publish(two, accentOf(2 * round + 1), ANNA),
        ]);
        // Each a little later into a publication than the last.
        await new Promise((resolve) => setTimeout(resolve, (round * 40) / (ROUNDS / 10)));
        await server().kill();
        const settled = await results;
        for (const result of settled) {
          if (result.status === 'rejected') {
            expect(['redis-away', 'version-conflict', 'replica-behind']).toContain(
              (result.reason as { code: string }).code,
            );
          }
        }
        await server().start();
        await vi.waitFor(async () => {
          await exchangeAll(one, two);
          const head = await redis.ask((client) => client.hGet(KEY, 'head'));
          const { number } = await one.desk.current();
          expect([head?.split(' ')[0], (await two.desk.current()).number]).toEqual([String(number), number]);
        }, PATIENCE);
        expect(served(one)).toEqual(served(two));
        const wins = settled.filter(({ status }) => status === 'fulfilled').length;
        expect(one.stores.versions.currentNumber()).toBeGreaterThanOrEqual(known + Math.min(wins, 1));
        for (const desk of [one, two]) {
          for (const { name } of [EDITOR, ANNA]) await desk.desk.discard({ name }, { draft: 'own' });
        }
      }
    },
  );
});

describe('while Redis is away', () => {
  test('nothing is published, everything is served, and a change of the folder goes live afterwards', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await two.exchange();
    await takeAway();
    await exchangeAll(one, two);
    await expect(publish(one, '#777777')).rejects.toMatchObject({
      code: 'redis-away',
      message: expect.stringMatching(/^Redis cannot be used \(Redis is not connected\), and/) as string,
    });
    await expect(one.desk.restore(OWNER, { number: 1, why: '', basedOn: 2 })).rejects.toMatchObject({
      code: 'redis-away',
    });
    expect([served(one), served(two)]).toEqual([
      [2, '#5ec28f'],
      [2, '#5ec28f'],
    ]);
    // The draft is kept.
    expect(one.desk.hasDraft(EDITOR)).toBe(true);
    await bringBack();
    await exchangeAll(two, one);
    expect(await one.desk.publish(EDITOR, { draft: 'own', why: '', basedOn: 2 })).toMatchObject({
      number: 3,
    });
  });

  test('a change of the folder waits', async () => {
    const one = await openTestDesk({ redis });
    await one.exchange();
    await takeAway();
    await one.changeFolder(setAccent('#5ec28f'));
    await one.noticeFolder();
    expect(one.keeper.record().refusal?.faults).toMatchObject([
      { message: expect.stringMatching(/^Redis/) as string },
    ]);
    expect(served(one)).toEqual([1, '#e0b34c']);
    await bringBack();
    await exchangeAll(one);
    await one.noticeFolder();
    expect(served(one)).toEqual([2, '#5ec28f']);
    expect(one.keeper.record().refusal?.correctedAt).toBeDefined();
  });

  test('a portal starts with what it has, and catches up when Redis is back', async () => {
    const [one, two] = await openPair();
    await takeAway();
    const again = await two.reopen();
    const fresh = await openTestDesk({ redis });
    expect([served(again), served(fresh)]).toEqual([
      [1, '#e0b34c'],
      [1, '#e0b34c'],
    ]);
    await bringBack();
    await exchangeAll(one, again, fresh);
    await publish(one, '#5ec28f');
    await exchangeAll(again, fresh);
    expect([served(again), served(fresh)]).toEqual([
      [2, '#5ec28f'],
      [2, '#5ec28f'],
    ]);
  });
});

describe('the site folder of several portals', () => {
  test('that is changed on all of them makes one version', async () => {
    const [one, two] = await openPair();
    await Promise.all([one.changeFolder(setAccent('#5ec28f')), two.changeFolder(setAccent('#5ec28f'))]);
    await Promise.all([one.noticeFolder(), two.noticeFolder()]);
    await exchangeAll(one, two);
    await Promise.all([one.noticeFolder(), two.noticeFolder()]);
    expect([served(one), served(two)]).toEqual([
      [2, '#5ec28f'],
      [2, '#5ec28f'],
    ]);
    for (const { desk, keeper } of [one, two]) {
      expect(await desk.summarize(OWNER, { draft: 'outside' })).toBeUndefined();
      expect(keeper.record().refusal).toBeUndefined();
    }
    // The folder leads on both.
    await two.changeFolder(setAccent('#777777'));
    await two.noticeFolder();
    expect(served(two)).toEqual([3, '#777777']);
  });

  test('that differs from what the others serve waits as a draft', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await two.exchange();
    await two.changeFolder(setAccent('#777777'));
    await two.noticeFolder();
    expect(served(two)).toEqual([2, '#5ec28f']);
    expect(await two.desk.summarize(OWNER, { draft: 'outside' })).toMatchObject({ basedOn: 1 });
  });
});

describe('a new portal', () => {
  test('starts with the newest version, and shows how its folder differs', async () => {
    const one = await openTestDesk({ redis });
    await publish(one, '#5ec28f').catch(() => undefined);
    await one.exchange();
    await publish(one, '#5ec28f').catch(() => undefined);
    const two = await openTestDesk({ redis });
    expect(served(two)).toEqual([2, '#5ec28f']);
    await two.noticeFolder();
    expect(await two.desk.summarize(OWNER, { draft: 'outside' })).toMatchObject({
      changes: [{ path: 'theme.accent', after: '"#e0b34c"' }],
    });
  });

  test('finds the others although the brand was renamed, as does one that starts again', async () => {
    const one = await openTestDesk({ redis });
    await one.exchange();
    await one.desk.edit(OWNER, { file: 'site.json', edits: [{ path: ['brand', 'name'], value: 'Vega' }] });
    await one.desk.publish(OWNER, { draft: 'own', why: '', basedOn: 1 });
    await one.exchange();
    await publish(one, '#5ec28f');
    const again = await one.reopen();
    const [old, renamed] = [await openTestDesk({ redis }), await openTestDesk({ redis, brand: 'Vega' })];
    await publish(again, '#777777');
    await exchangeAll(old, renamed);
    expect([served(old), served(renamed)]).toEqual([
      [4, '#777777'],
      [4, '#777777'],
    ]);
  });
});

describe('what is damaged', () => {
  test('on the disk of one portal comes back from the others, and the others keep what they have', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await two.exchange();
    await damageObjects(two);
    const again = await two.reopen();
    expect(served(again)).toEqual([2, '#5ec28f']);
    await exchangeAll(again, one);
    expect(served(one)).toEqual([2, '#5ec28f']);
  });

  test('on the disk while Redis is away is replaced by an earlier version, for this portal only', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    await two.exchange();
    const { files } = await two.stores.versions.read(2);
    const { files: before } = await two.stores.versions.read(1);
    const hash = files['site.json'] ?? '';
    expect(hash).not.toBe(before['site.json']);
    await rm(join(two.dir, 'desk/objects', hash.slice(0, 2), hash.slice(2)));
    await takeAway();
    const again = await two.reopen();
    expect(served(again)).toEqual([1, '#e0b34c']);
    await bringBack();
    await exchangeAll(again, one);
    await exchangeAll(again);
    expect([served(again), served(one)]).toEqual([
      [2, '#5ec28f'],
      [2, '#5ec28f'],
    ]);
  });

  test('in Redis is never served, and is put right by those who have it', async () => {
    const [one, two] = await openPair();
    await publish(one, '#5ec28f');
    const { files } = await one.stores.versions.read(2);
    const hash = files['site.json'] ?? '';
    const evil = Buffer.from('{"brand":"evil"}').toString('base64');
    for (const bytes of [evil, '']) {
      await redis.ask((client) => client.hSet(`${KEY}:objects`, hash, bytes));
      two.clock.now += 10_000;
      await two.exchange();
      expect(served(two)).toEqual([1, '#e0b34c']);
    }
    // The one that has it puts it in again.
    await one.exchange();
    two.clock.now += 10_000;
    await two.exchange();
    expect(served(two)).toEqual([2, '#5ec28f']);
    for (const text of ['{"number":', 'x'.repeat(3_000_000), '']) {
      await redis.ask((client) => client.hSet(KEY, 'text', text));
      expect(served(await openTestDesk({ redis }))).toEqual([1, '#e0b34c']);
      await exchangeAll(one);
    }
    await redis.ask((client) => client.hSet(KEY, 'head', 'nonsense'));
    await exchangeAll(one);
    const three = await openTestDesk({ redis });
    await exchangeAll(three, one, three);
    expect(served(three)).toEqual([2, '#5ec28f']);
  });

  test('in Redis on purpose is not served either: a site with faults, or a path out of the folder', async () => {
    const [one] = await openPair();
    const { files } = await one.stores.versions.read(1);
    const broken = '{"brand":{}}';
    const hash = createHash('sha256').update(broken).digest('hex');
    const version = { number: 7, at: 1, by: '', from: 'console', why: '' } as const;
    await plant({ ...version, files: { ...files, 'site.json': hash } }, { [hash]: broken });
    await one.exchange();
    expect(served(one)).toEqual([1, '#e0b34c']);
    expect(one.logged).toContainEqual(expect.objectContaining({ level: 50, version: 7, served: 1 }));
    await expect(publish(one, '#5ec28f')).rejects.toMatchObject({ code: 'replica-behind' });
    await plant({ ...version, files: { '../escaped.json': hash, ...files } }, { [hash]: broken });
    await exchangeAll(one);
    expect(served(one)).toEqual([1, '#e0b34c']);
  });

  test('is not what a portal of a later version has published: that is not replaced', async () => {
    const [one] = await openPair();
    const { files } = await one.stores.versions.read(1);
    const version = { number: 7, at: 1, by: '', from: 'console', why: '', files } as const;
    await plant({ ...version, news: 'of later' } as VersionRecord);
    const before = await redis.ask((client) => client.hGet(KEY, 'head'));
    await exchangeAll(one);
    expect(served(one)).toEqual([1, '#e0b34c']);
    expect(await redis.ask((client) => client.hGet(KEY, 'head'))).toBe(before);
    const errors = one.logged.filter(({ level }) => level === 50);
    expect(errors).toMatchObject([
      { err: { message: expect.stringContaining('update this portal') as string } },
    ]);
    await expect(publish(one, '#5ec28f')).rejects.toMatchObject({ code: 'replica-behind' });
  });
});

test('a portal that lacks the mmdb file of a version goes on with its own, says so, and tries again', async () => {
  const [one, two] = await openPair();
  await writeFile(join(one.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
  await one.desk.edit(OWNER, {
    file: 'site.json',
    edits: [{ path: ['network'], value: { mmdb: 'country.mmdb' } }],
  });
  await one.desk.publish(OWNER, { draft: 'own', why: '', basedOn: 1 });
  await two.exchange();
  await two.exchange();
  expect(served(two)).toEqual([1, '#e0b34c']);
  const errors = two.logged.filter(({ level }) => level === 50);
  expect(errors).toMatchObject([{ version: 2, served: 1 }]);
  await expect(publish(two, '#5ec28f')).rejects.toMatchObject({ code: 'replica-behind' });
  await writeFile(join(two.siteDir, 'country.mmdb'), writeCountryMmdb({ '203.0.113.0/24': 'GB' }));
  two.clock.now += 10_000;
  await two.exchange();
  expect(served(two)).toEqual([2, '#e0b34c']);
});

async function damageObjects({ dir }: TestDesk): Promise<void> {
  const objects = join(dir, 'desk/objects');
  for (const folder of await readdir(objects)) {
    for (const name of await readdir(join(objects, folder)))
      await writeFile(join(objects, folder, name), 'damaged');
  }
}
