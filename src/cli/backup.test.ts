import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { create, extract } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createObjectStore } from '../server/desk/object-store.ts';
import { openVersionStore } from '../server/desk/version-store.ts';
import { readAudit } from '../server/testing/read-audit.ts';
import { writeBackup } from './backup.ts';
import { hashFiles } from './backup/data-files.ts';
import { noteCommand } from './note-command.ts';
import { restoreBackup } from './restore.ts';

let dir: string;
let data: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-backup-'));
  [data, file] = [join(dir, 'data'), join(dir, 'backup.tar.gz')];
  await mkdir(data, { recursive: true });
  await Promise.all([
    writeFile(join(data, 'secret'), 'a secret\n'),
    writeFile(join(data, 'people.json'), '{}\n'),
    noteCommand(data, { action: 'invited', to: 'mei' }),
    writeFile(join(data, 'people.json.tmp'), 'unfinished'),
  ]);
  await commit('first');
  await commit('second');
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function openStore(dataDir: string) {
  const objects = createObjectStore(join(dataDir, 'desk/objects'));
  return openVersionStore({ dir: join(dataDir, 'desk'), objects, now: () => 0 });
}

async function commit(content: string): Promise<void> {
  const store = await openStore(data);
  const files = await store.putFiles(new Map([['site.json', Buffer.from(content)]]));
  await store.commit({ at: 1, by: 'ann', from: 'console', why: content, files });
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
  test('brings back every version, the people, the audit log and the secret, and nothing else', async () => {
    expect(await writeBackup(data, file, 1_000)).toEqual({ files: 8, version: 2 });
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const restored = join(dir, 'restored');
    expect(await restoreBackup(file, restored)).toEqual({ madeAt: 1_000, files: 8, version: 2 });
    expect((await readdir(restored)).toSorted()).toEqual(['desk', 'people.json', 'secret', 'waypost.db']);
    const store = await openStore(restored);
    for (const [number, content] of [
      [1, 'first'],
      [2, 'second'],
    ] as const) {
      const { files, why } = await store.read(number);
      const kept = await store.readFiles(files);
      expect([why, String(kept.get('site.json'))]).toEqual([content, content]);
    }
    expect(await readAudit(restored)).toMatchObject([{ action: 'invited', to: 'mei' }]);
    // What belongs to nobody else stays so.
    expect(((await stat(join(restored, 'secret'))).mode & 0o077).toString(8)).toBe('0');
    expect(await readdir(dir)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^\.waypost/)]));
  });

  test('reads one file at a time, because there may be thousands', async () => {
    let open = 0;
    const opened: number[] = [];
    const hashed = await hashFiles('data', ['a', 'b', 'c'], async (path) => {
      open += 1;
      opened.push(open);
      await setImmediate();
      open -= 1;
      return `hash of ${path}`;
    });
    expect(opened).toEqual([1, 1, 1]);
    expect(hashed['c']).toBe('hash of data/c');
  });

  test('of a folder whose current version is damaged is not written over a good one', async () => {
    await writeBackup(data, file, 1_000);
    const good = await readFile(file);
    const [folder = ''] = await readdir(join(data, 'desk/objects'));
    await rm(join(data, 'desk/objects', folder), { recursive: true });
    await commit('third');
    await rm(join(data, 'desk/objects'), { recursive: true });
    await expect(writeBackup(data, file, 2_000)).rejects.toThrow('A file of this version cannot be read');
    expect(await readFile(file)).toEqual(good);
  });

  test.each([
    ['there is no such data folder', 'nowhere'],
    ['this is not the data folder of a portal', 'empty'],
  ])('says "%s"', async (message, name) => {
    await mkdir(join(dir, 'empty'));
    await expect(writeBackup(join(dir, name), file, 0)).rejects.toThrow(message);
  });
});

describe('restoring', () => {
  beforeEach(() => writeBackup(data, file, 1_000));

  test('refuses a folder that holds something', async () => {
    await expect(restoreBackup(file, data)).rejects.toThrow('is not empty: stop its portal');
    expect(await readFile(join(data, 'secret'), 'utf8')).toBe('a secret\n');
  });

  test.each<[string, (unpacked: string) => Promise<unknown>, string]>([
    ['a file that was changed', (at) => writeFile(join(at, 'people.json'), 'x'), 'people.json is damaged'],
    ['a file that is missing', (at) => rm(join(at, 'secret')), 'secret is missing'],
    ['a file that no backup has', (at) => writeFile(join(at, 'desk/hook.sh'), 'x'), 'which no backup has'],
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
      await rm(join(unpacked, 'people.json'));
      await symlink('/etc/passwd', join(unpacked, 'people.json'));
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
