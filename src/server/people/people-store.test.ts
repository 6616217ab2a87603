import { execFile } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failFolderSync } from '../testing/fail-folder-sync.ts';
import { invitePerson } from './manage-people.ts';
import { type PeopleStore, openPeopleStore } from './people-store.ts';

let dir: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-people-'));
  file = join(dir, 'people.json');
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(dir, { recursive: true });
});

const invite = (store: PeopleStore, name: string) =>
  store.update((people) => invitePerson(people, { name, role: 'viewer', now: 1 }));

const namesIn = (store: PeopleStore) => store.read().people.map(({ name }) => name);

test('people are kept in a file that only the server’s user can read', async () => {
  await invite(await openPeopleStore(dir), 'li.wei');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(namesIn(await openPeopleStore(dir))).toEqual(['li.wei']);
});

test('two processes that change people at the same moment lose nothing', async () => {
  const [portal, command] = [await openPeopleStore(dir), await openPeopleStore(dir)];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => invite(index % 2 === 0 ? portal : command, `person ${index}`)),
  );
  await portal.refresh();
  expect(namesIn(portal)).toHaveLength(20);
});

test('a running portal notices what another process has changed', async () => {
  const [portal, command] = [await openPeopleStore(dir), await openPeopleStore(dir)];
  await invite(command, 'li.wei');
  expect(namesIn(portal)).toEqual([]);
  await portal.refresh();
  expect(namesIn(portal)).toEqual(['li.wei']);
});

test('a change is noticed although the file has the same number, time and size as before', async () => {
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  const { atime, mtime } = await stat(file);
  await utimes(file, atime, mtime);
  await store.refresh();
  await writeFile(file, (await readFile(file, 'utf8')).replace('li.wei', 'li.mei'));
  await utimes(file, atime, mtime);
  await store.refresh();
  expect(namesIn(store)).toEqual(['li.mei']);
});

test('a change that is refused writes nothing, and the next one works', async () => {
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  const before = await readFile(file, 'utf8');
  await expect(invite(store, 'Li.Wei')).rejects.toThrow(
    'There is already somebody, or a token, with the name "Li.Wei".',
  );
  expect(await readFile(file, 'utf8')).toBe(before);
  await invite(store, 'mei');
  expect(namesIn(store)).toEqual(['li.wei', 'mei']);
});

test('a disk that hangs fails the start in time, and by name', async () => {
  await promisify(execFile)('mkfifo', [file]);
  const opening = openPeopleStore(dir, { diskLimitMs: 50 });
  await expect(opening).rejects.toThrow(`${dir}: the data folder does not answer`);
  await writeFile(file, ''); // Lets go of the thread that reads.
});

test('while the disk hangs, a change is refused after 20 s, and not made later; the next one works', async () => {
  const store = await openPeopleStore(dir);
  await promisify(execFile)('mkfifo', [file]);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const hanging = store.refresh();
  const refused = invite(store, 'li.wei');
  vi.advanceTimersByTime(20_000);
  await expect(refused).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/^Nothing was changed/) as string,
  });
  await expect(hanging).rejects.toThrow('the data folder does not answer');
  await writeFile(file, ''); // Lets go of the thread that reads.
  await rm(file);
  await invite(store, 'mei');
  expect(namesIn(store)).toEqual(['mei']);
});

test('a change that hangs while it is written is not called undone; the next one works', async () => {
  const store = await openPeopleStore(dir);
  await promisify(execFile)('mkfifo', [`${file}.tmp`]);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let changing: Promise<unknown> | undefined;
  await new Promise<void>((resolve) => {
    changing = store.update((people) => {
      resolve();
      return invitePerson(people, { name: 'li.wei', role: 'viewer', now: 1 });
    });
  });
  vi.advanceTimersByTime(20_000);
  await expect(changing).rejects.toMatchObject({
    status: 503,
    code: 'people-uncertain',
    message: 'The data folder does not answer. Look again later: the change may still be made.',
  });
  await readFile(`${file}.tmp`); // Lets go of the thread that writes.
  await rm(`${file}.tmp`);
  await invite(store, 'mei');
  expect(namesIn(store)).toEqual(['mei']);
});

test('a change whose file was replaced, although the disk then had a fault, is not called undone', async () => {
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  await failFolderSync(dir);
  await expect(invite(store, 'mei')).rejects.toMatchObject({
    status: 503,
    code: 'people-uncertain',
    message: expect.stringMatching(/^The change was made, but the disk/) as string,
  });
  await store.refresh();
  expect(namesIn(store)).toEqual(['li.wei', 'mei']);
});

test('a lock that a killed process left behind holds nobody up', async () => {
  await writeFile(`${file}.lock`, '');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${file}.lock`, longAgo, longAgo);
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  expect(await readdir(dir)).toEqual(['people.json']);
});

test('nor does one whose remover was killed', async () => {
  await writeFile(`${file}.lock`, '');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${file}.lock`, longAgo, longAgo);
  const claim = `${file}.lock.${(await stat(`${file}.lock`)).mtimeMs}`;
  await writeFile(claim, '');
  await utimes(claim, longAgo, longAgo);
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  expect(await readdir(dir)).toEqual(['people.json']);
});

test('of two processes that find such a lock, the second does not remove the new lock of the first', async () => {
  await writeFile(`${file}.lock`, '');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${file}.lock`, longAgo, longAgo);
  const store = await openPeopleStore(dir);
  const now = Date.now();
  let looks = 0;
  let isReleased = false;
  // The store asks for the time each time it has looked at the lock.
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    looks += 1;
    if (looks === 1) {
      rmSync(`${file}.lock`);
      writeFileSync(`${file}.lock`, 'of the first');
    } else if (looks === 4) {
      rmSync(`${file}.lock`);
      isReleased = true;
    }
    return now;
  });
  const wasReleased = await store
    .update((people) => ({ next: people, result: isReleased }))
    .finally(() => clock.mockRestore());
  expect(wasReleased).toBe(true);
  expect(await readdir(dir)).toEqual([]);
});

test('a process that took too long leaves the lock of the next one alone', async () => {
  const store = await openPeopleStore(dir);
  await store.update((people) => {
    // Another process has found this lock too old, and has taken its own.
    rmSync(`${file}.lock`);
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, 1, 1);
    return { next: people, result: undefined };
  });
  expect(await readdir(dir)).toEqual(['people.json.lock']);
});

test('a file that is not ours is refused by name, and kept', async () => {
  await writeFile(file, '{ "version": 2 }');
  await expect(openPeopleStore(dir)).rejects.toThrow(/people\.json does not hold people of ours/);
  expect(await readFile(file, 'utf8')).toBe('{ "version": 2 }');
  await rm(file);
  await mkdir(file);
  await expect(openPeopleStore(dir)).rejects.toThrow(`${file} is a folder where a file should be`);
});

test('a folder that cannot be written is named, and nothing is changed', async () => {
  const store = await openPeopleStore(dir);
  await invite(store, 'li.wei');
  // A folder in the place of the unfinished file: not even root can write it.
  await mkdir(`${file}.tmp`);
  await expect(invite(store, 'mei')).rejects.toMatchObject({ status: 503, code: 'people-unavailable' });
  expect(namesIn(store)).toEqual(['li.wei']);
});

test('a data folder that cannot be made is named, too', async () => {
  const store = await openPeopleStore(join(dir, 'data'));
  await writeFile(join(dir, 'data'), 'a file in the place of the folder');
  await expect(invite(store, 'mei')).rejects.toMatchObject({ status: 503, code: 'people-unavailable' });
});
