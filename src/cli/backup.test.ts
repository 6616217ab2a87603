import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { pino } from 'pino';
import { type DeskStores, openDeskStores } from '../server/desk/open-desk-stores.ts';
import type { Database } from '../server/store/database.ts';
import { openDatabase } from '../server/store/open-database.ts';
import { readAudit } from '../server/testing/read-audit.ts';
import { backup, writeBackup } from './backup.ts';
import { noteCommand } from './note-command.ts';
import { restore, restoreBackup } from './restore.ts';

let dir: string;
let data: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-backup-'));
  [data, file] = [join(dir, 'data'), join(dir, 'backup.tar.gz')];
  await mkdir(data, { recursive: true });
  await noteCommand(data, { action: 'invited', to: 'mei' });
  await writeFile(join(data, 'portal.lock'), '');
  await commit('first');
  await commit('second');
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** Uses the versions of a data folder. */
async function useStores<T>(
  dataDir: string,
  use: (stores: DeskStores, database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  try {
    return await use(openDeskStores({ database, siteDir: '', now: () => 0 }), database);
  } finally {
    await database.close();
  }
}

async function commit(content: string): Promise<void> {
  await useStores(data, async ({ versions, files: store }) => {
    const files = await store.putFiles(new Map([['site.json', Buffer.from(content)]]));
    const after = await versions.currentNumber();
    await versions.commit({ after, at: 1, by: 'ann', from: 'console', why: content, files });
  });
}

/** Packs a backup again, changed. */
async function repack(change: (unpacked: string) => Promise<void>): Promise<void> {
  const unpacked = join(dir, 'unpacked');
  await mkdir(unpacked);
  await extract({ file, cwd: unpacked });
  await change(unpacked);
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  await create({ file, cwd: unpacked, gzip: true }, paths);
}

describe('a backup', () => {
  test('brings back every version and the audit log, and nothing but the database', async () => {
    expect(await writeBackup(data, file, { now: 1_000 })).toEqual({ files: ['waypost.db'], version: 2 });
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const restored = join(dir, 'restored');
    expect(await restoreBackup(file, restored)).toEqual({ madeAt: 1_000, files: ['waypost.db'], version: 2 });
    expect(await readdir(restored)).toEqual(['waypost.db']);
    // What belongs to nobody else stays so.
    expect(((await stat(join(restored, 'waypost.db'))).mode & 0o077).toString(8)).toBe('0');
    await useStores(restored, async ({ versions, files: store }) => {
      for (const [number, content] of [
        [1, 'first'],
        [2, 'second'],
      ] as const) {
        const { files, why } = await versions.read(number);
        expect([why, String((await store.readFiles(files)).get('site.json'))]).toEqual([content, content]);
      }
    });
    expect(await readAudit(restored)).toMatchObject([{ action: 'invited', to: 'mei' }]);
    expect(await readdir(dir)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^\.waypost/)]));
  });

  test('leaves out the recordings, unless it is asked for them', async () => {
    await copyFile(join(data, 'waypost.db'), join(data, 'recordings.db'));
    expect(await writeBackup(data, file, { now: 1 })).toMatchObject({ files: ['waypost.db'] });
    expect(await writeBackup(data, file, { now: 1, withRecordings: true })).toMatchObject({
      files: ['waypost.db', 'recordings.db'],
    });
    await restoreBackup(file, join(dir, 'restored'));
    expect(await readdir(join(dir, 'restored'))).toContain('recordings.db');
  });

  test('of what PostgreSQL keeps is made with its own tools, as is restoring', async () => {
    vi.stubEnv('WAYPOST_DATABASE_URL', 'postgres://db.example/waypost');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(backup.run([file, '--data', data])).rejects.toThrow(
      'in PostgreSQL (WAYPOST_DATABASE_URL): use pg_dump',
    );
    await expect(restore.run([file, '--data', data])).rejects.toThrow('use psql or pg_restore');
  });

  test('of a folder whose current version is damaged is not written over a good one', async () => {
    await writeBackup(data, file, { now: 1_000 });
    const good = await readFile(file);
    await useStores(data, (_, database) => database.change('delete from files'));
    await expect(writeBackup(data, file, { now: 2_000 })).rejects.toThrow(
      'The file site.json of this version is damaged or missing',
    );
    expect(await readFile(file)).toEqual(good);
  });

  test.each([
    ['there is no such data folder', 'nowhere'],
    ['this is not the data folder of a portal', 'empty'],
  ])('says "%s"', async (message, name) => {
    await mkdir(join(dir, 'empty'));
    await expect(writeBackup(join(dir, name), file, { now: 0 })).rejects.toThrow(message);
  });
});

describe('restoring', () => {
  beforeEach(() => writeBackup(data, file, { now: 1_000 }));

  test('refuses a folder that holds something', async () => {
    await expect(restoreBackup(file, data)).rejects.toThrow('is not empty: stop its portal');
    expect(await readdir(data)).toContain('portal.lock');
  });

  test('takes nothing of a try that was killed before', async () => {
    const restored = join(dir, 'restored');
    await mkdir(join(restored, '.restoring'), { recursive: true });
    await writeFile(join(restored, '.restoring/recordings.db'), 'of another portal');
    await restoreBackup(file, restored);
    expect(await readdir(restored)).toEqual(['waypost.db']);
  });

  test.each<[string, (unpacked: string) => Promise<unknown>, string]>([
    ['a file that was changed', (at) => writeFile(join(at, 'waypost.db'), 'x'), 'waypost.db is damaged'],
    ['a file that is missing', (at) => rm(join(at, 'waypost.db')), 'waypost.db is missing'],
    ['a file that no backup has', (at) => writeFile(join(at, 'hook.sh'), 'x'), 'which no backup has'],
    ['another archive', (at) => rm(join(at, 'backup.json')), 'is not a file of "waypost backup"'],
    [
      'a backup of a newer Waypost',
      (at) => writeFile(join(at, 'backup.json'), '{"format":2}'),
      'it may be of a newer Waypost',
    ],
  ])('refuses %s, and writes nothing', async (_, change, message) => {
    await repack(async (unpacked) => void (await change(unpacked)));
    const restored = join(dir, 'restored');
    await expect(restoreBackup(file, restored)).rejects.toThrow(message);
    expect(await readdir(restored).catch(() => [])).toEqual([]);
  });

  test('refuses a link, by which a file could be written elsewhere', async () => {
    await repack(async (unpacked) => {
      await rm(join(unpacked, 'waypost.db'));
      await symlink('/etc/passwd', join(unpacked, 'waypost.db'));
    });
    await expect(restoreBackup(file, join(dir, 'restored'))).rejects.toThrow('which no backup has');
  });

  test.each([
    ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['is something else', () => Buffer.from('not a backup')],
  ])('refuses a file that %s', async (_, change) => {
    await writeFile(file, change(await readFile(file)));
    await expect(restoreBackup(file, join(dir, 'restored'))).rejects.toThrow('cannot be read as a backup');
    expect(await readdir(join(dir, 'restored')).catch(() => [])).toEqual([]);
  });
});
