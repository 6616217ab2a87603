import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../store/database.ts';
import { type DatabasePlace, openDatabase } from '../store/open-database.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { type Draft, DraftMovedError } from './create-draft-store.ts';
import { VersionMovedError } from './desk-error.ts';
import { type DeskStores, openDeskStores } from './open-desk-stores.ts';

const DAY = 86_400_000;
const DRAFT: Draft = {
  owner: 'eve',
  since: undefined,
  basedOn: 1,
  revision: 1,
  at: 5,
  files: { 'a.json': null },
};

type Desk = DeskStores & { readonly database: Database; readonly clock: { now: number } };

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

describe.each(['SQLite', 'PostgreSQL'] as const)('versions in %s', (engine) => {
  async function createPlace(): Promise<DatabasePlace> {
    const dataDir = await mkdtemp(join(tmpdir(), 'waypost-versions-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    return { dataDir, url: engine === 'SQLite' ? undefined : await postgres.createDatabase() };
  }

  async function open(place?: DatabasePlace): Promise<Desk> {
    const database = await openDatabase({
      ...(place ?? (await createPlace())),
      log: pino({ level: 'silent' }),
    });
    onTestFinished(database.close);
    const clock = { now: Date.UTC(2026, 0, 5) };
    return { ...openDeskStores({ database, siteDir: '/site', now: () => clock.now }), database, clock };
  }

  async function commit({ files, versions, clock }: Desk, content: Record<string, string>): Promise<number> {
    const entries = Object.entries(content).map(([path, text]) => [path, Buffer.from(text)] as const);
    const made = await versions.commit({
      after: await versions.currentNumber(),
      at: clock.now,
      by: 'eve',
      from: 'console',
      why: '',
      files: await files.putFiles(new Map(entries)),
    });
    return made.number;
  }

  test('that never were are refused, however large their number is', async () => {
    const desk = await open();
    await commit(desk, { 'site.json': '{}' });
    for (const number of [0, 2, 2_147_483_647, 2_147_483_648, 1e300])
      await expect(desk.versions.read(number)).rejects.toMatchObject({ code: 'unknown-version' });
  });

  test('are read as they were made', async () => {
    const desk = await open();
    expect(await desk.versions.findCurrent()).toBeUndefined();
    expect(await desk.versions.currentNumber()).toBe(0);
    await commit(desk, { 'site.json': '{}', 'images/标志.svg': '<svg/>' });
    await commit(desk, { 'site.json': '{ }', 'images/标志.svg': '<svg/>' });
    const current = await desk.versions.findCurrent();
    expect(current).toMatchObject({ number: 2, at: desk.clock.now, by: 'eve', from: 'console', why: '' });
    const read = await desk.files.readFiles(current?.files ?? {});
    expect([...read].map(([path, bytes]) => `${path} ${String(bytes)}`).toSorted()).toEqual([
      'images/标志.svg <svg/>',
      'site.json { }',
    ]);
    expect(await desk.versions.list()).toMatchObject([{ number: 2 }, { number: 1 }]);
    await expect(desk.versions.read(3)).rejects.toMatchObject({ code: 'unknown-version' });
    // The image is kept once, although two versions have it.
    expect(await desk.database.read('select hash from files')).toHaveLength(3);
  });

  test('of two portals that commit at once, 50 times: one wins, and no number exists twice', async () => {
    const place = await createPlace();
    const [one, two] = [await open(place), await open(place)];
    await commit(one, { 'site.json': '0' });
    for (let round = 1; round <= 50; round += 1) {
      const outcomes = await Promise.allSettled([
        commitAfter(one, round, `one ${round}`),
        commitAfter(two, round, `two ${round}`),
      ]);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost.map(({ reason }) => reason as unknown)).toEqual([expect.any(VersionMovedError)]);
    }
    const numbers = (await two.versions.list()).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index));
  });

  async function commitAfter({ versions, files }: Desk, after: number, text: string): Promise<void> {
    const manifest = await files.putFiles(new Map([['site.json', Buffer.from(text)]]));
    await versions.commit({ after, at: 0, by: '', from: 'console', why: '', files: manifest });
  }

  test('have 2,000 files of 30 MB together, and one of 20 MB, and their outline reads no image', async () => {
    const desk = await open();
    const files = new Map(
      Array.from({ length: 2_000 }, (_, index) => [`images/${index}.png`, Buffer.alloc(15_000, index)]),
    );
    files.set('images/large.png', Buffer.alloc(20_000_000, 'large'));
    files.set('site.json', Buffer.from('{}'));
    const manifest = await desk.files.putFiles(files);
    await desk.versions.commit({ after: 0, at: 0, by: '', from: 'start', why: '', files: manifest });
    const version = await desk.versions.read(1);
    const read = await desk.files.readFiles(version.files);
    expect(read.size).toBe(2_002);
    for (const [path, bytes] of files) expect(read.get(path)?.equals(bytes)).toBe(true);
    await desk.database.change('update files set bytes = $1 where size > 2', [Buffer.from('damaged')]);
    const outline = await desk.files.readOutline(version.files);
    expect(String(outline.get('site.json'))).toBe('{}');
    expect(String(outline.get('images/1.png'))).toBe(manifest['images/1.png']);
    await expect(desk.files.readFiles(version.files)).rejects.toMatchObject({ code: 'version-damaged' });
  });

  test('that take a draft with them do so only if it is as it was read', async () => {
    const desk = await open();
    await commit(desk, { 'a.json': '1', 'b.json': '2' });
    await desk.drafts.put(DRAFT, undefined);
    const read = await desk.drafts.get('eve');
    expect(read).toEqual(DRAFT);
    const changed = { ...DRAFT, revision: 2 };
    await desk.drafts.put(changed, read);
    await expect(desk.drafts.put({ ...DRAFT, revision: 9 }, read)).rejects.toThrow(DraftMovedError);
    const { files } = await desk.versions.read(1);
    const next = { after: 1, at: 0, by: '', from: 'console', why: '', files } as const;
    await expect(desk.versions.commit({ ...next, draft: DRAFT })).rejects.toThrow(DraftMovedError);
    expect(await desk.versions.currentNumber()).toBe(1);
    await desk.versions.commit({ ...next, draft: changed });
    expect([await desk.versions.currentNumber(), await desk.drafts.get('eve')]).toEqual([2, undefined]);
  });

  test('are removed beyond 200 versions and 90 days with their files, and never those that are in use', async () => {
    const desk = await open();
    const { versions, files, drafts, folder, clock, database } = desk;
    for (const text of ['one', 'two', 'three', 'four']) await commit(desk, { 'site.json': text });
    await folder.set({ version: 1, seen: 'hash' });
    await drafts.put(
      { ...DRAFT, basedOn: 3, files: { 'b.json': (await versions.read(2)).files['site.json'] ?? '' } },
      undefined,
    );
    for (let count = 0; count < 210; count += 1) await commit(desk, { 'site.json': 'same' });
    await database.change('update files set put_at = put_at - $1', [2 * DAY]);
    await files.putFiles(new Map([['c.json', Buffer.from('put in just now')]]));
    clock.now += 90 * DAY;
    await versions.prune();
    expect(await versions.list()).toHaveLength(214);
    clock.now += 1;
    await versions.prune();
    const left = (await versions.list()).map(({ number }) => number);
    expect([left.length, ...left.slice(-3)]).toEqual([202, 15, 3, 1]);
    for (const number of [1, 3, 15, 214]) await files.readFiles((await versions.read(number)).files);
    const kept = await database.read<{ bytes: Uint8Array }>('select bytes from files');
    expect(kept.map(({ bytes }) => Buffer.from(bytes).toString()).toSorted()).toEqual([
      'one',
      'put in just now',
      'same',
      'three',
      // A draft has it, although its version is gone.
      'two',
    ]);
    // One whose files were removed is not made live again.
    const gone = { 'site.json': Buffer.from('gone').toString('hex').padEnd(64, '0') };
    const next = { after: 214, at: 0, by: '', from: 'console', why: '', files: gone } as const;
    await expect(versions.commit(next)).rejects.toMatchObject({ code: 'version-damaged' });
  });

  test('are found by a file’s first digits', async () => {
    const desk = await open();
    const manifest = await desk.files.putFiles(
      new Map([
        ['a', Buffer.from('a')],
        ['b', Buffer.from('b')],
      ]),
    );
    expect(String(await desk.files.findFile((manifest['b'] ?? '').slice(0, 16)))).toBe('b');
    expect(await desk.files.findFile('0123456789abcdef')).toBeUndefined();
  });

  test('leave room for 200 drafts', async () => {
    const desk = await open();
    for (let number = 0; number < 200; number += 1) {
      await desk.drafts.put({ ...DRAFT, owner: `person ${number}` }, undefined);
    }
    await expect(desk.drafts.put(DRAFT, undefined)).rejects.toMatchObject({ code: 'draft-full' });
    const [first] = [await desk.drafts.get('person 0')];
    await desk.drafts.put({ ...DRAFT, owner: 'person 0', revision: 2 }, first);
    await desk.drafts.remove('person 1');
    await desk.drafts.put(DRAFT, undefined);
  });
});
