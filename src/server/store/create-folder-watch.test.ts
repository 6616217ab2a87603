import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderWatch } from './create-folder-watch.ts';

let root: string;
let dir: string;
let now: number;
let said: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'waypost-watch-'));
  dir = join(root, 'data');
  now = 1_000;
  said = [];
});

afterEach(() => rm(root, { recursive: true }));

function watch(limitMs = 10_000) {
  const log = pino({ base: null, timestamp: false }, { write: (line) => void said.push(line) });
  const looks: boolean[] = [];
  const watched = createFolderWatch({
    dir,
    onLook: (isUp) => looks.push(isUp),
    log,
    now: () => now,
    limitMs,
  });
  return { ...watched, looks };
}

test('a folder that can be written is left with one small file', async () => {
  const { tryWrite, state, looks } = watch();
  await tryWrite();
  await tryWrite();
  expect([state(), looks, said]).toEqual([{ isUp: true, since: 1_000 }, [true, true], []]);
  expect(await readdir(dir)).toEqual(['can-be-written']);
});

test('one that cannot is noticed, with when, and said once; and so is that it can again', async () => {
  const { tryWrite, state, looks } = watch();
  // Nothing can be written below a file, not even by root.
  await writeFile(dir, '');
  now = 2_000;
  await tryWrite();
  now = 3_000;
  await tryWrite();
  expect(state()).toEqual({ isUp: false, since: 2_000 });
  await rm(dir);
  await mkdir(dir);
  now = 4_000;
  await tryWrite();
  expect(state()).toEqual({ isUp: true, since: 4_000 });
  expect(looks).toEqual([false, false, true]);
  expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the data folder cannot be written',
    'the data folder can be written again',
  ]);
});

test('so is one that hangs', async () => {
  const { tryWrite, state } = watch(50);
  await mkdir(dir);
  // Opening a pipe waits until somebody else opens it, too.
  await promisify(execFile)('mkfifo', [join(dir, 'can-be-written.tmp')]);
  now = 2_000;
  await tryWrite();
  expect(state()).toEqual({ isUp: false, since: 2_000 });
  const pipe = await open(join(dir, 'can-be-written.tmp'), 'r+');
  await pipe.close();
});
