import { appendFile, mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf } from '../testing/intake-messages.ts';
import { encodeFrame } from './frames.ts';
import { type RecordingStore, createRecordingStore } from './recording-store.ts';

const FILE = { day: '2026-11-16', session: idOf(1) };
const frameOf = (number: number) =>
  encodeFrame({ label: { view: idOf(2), at: 1, number }, packed: Buffer.from(`message ${number}`) });

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-recordings-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function readNumbers(store: RecordingStore): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { label, packed } of store.read(FILE)) {
    const number = 'number' in label ? label.number : 0;
    expect(String(packed)).toBe(`message ${number}`);
    numbers.push(number);
  }
  return numbers;
}

test('keeps frames in one file for each session and day, for nobody but the server', async () => {
  const store = createRecordingStore({ dir: join(dir, 'recordings') });
  await store.append(FILE, frameOf(1));
  await store.append(FILE, Buffer.concat([frameOf(2), frameOf(3)]));
  await store.append({ ...FILE, day: '2026-11-17' }, frameOf(4));
  expect(await readNumbers(store)).toEqual([1, 2, 3]);
  expect(await store.listDays()).toEqual(['2026-11-16', '2026-11-17']);
  expect(await store.listFiles('2026-11-16')).toMatchObject([FILE]);
  const modeOf = async (path: string) => ((await stat(join(dir, path))).mode & 0o777).toString(8);
  expect(await modeOf('recordings')).toBe('700');
  expect(await modeOf('recordings/2026-11-16')).toBe('700');
  expect(await modeOf(`recordings/2026-11-16/${FILE.session}.rec`)).toBe('600');
});

test('of a file that ends anywhere, reads all whole frames, and goes on after them', async () => {
  const path = join(dir, FILE.day, `${FILE.session}.rec`);
  const frames = [1, 2].map(frameOf);
  await createRecordingStore({ dir }).append(FILE, Buffer.concat(frames));
  const whole = await readFile(path);
  const ends = frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length);
  for (let length = 0; length < whole.length; length += 1) {
    await writeFile(path, whole);
    await truncate(path, length);
    const store = createRecordingStore({ dir });
    const kept = [1, 2].slice(0, ends.filter((end) => end <= length).length);
    expect(await readNumbers(store)).toEqual(kept);
    await store.append(FILE, frameOf(9));
    expect(await readNumbers(store)).toEqual([...kept, 9]);
    expect((await readFile(path)).length).toBe((ends[kept.length - 1] ?? 0) + frameOf(9).length);
  }
});

test.each([
  ['zeros', Buffer.alloc(640)],
  ['noise', Buffer.from('no frame at all, but long enough for one')],
  ['a frame with another checksum', frameOf(7).with(20, 1)],
])('stops at %s after whole frames', async (_what, tail) => {
  await createRecordingStore({ dir }).append(FILE, frameOf(1));
  await appendFile(join(dir, FILE.day, `${FILE.session}.rec`), tail);
  const store = createRecordingStore({ dir });
  expect(await readNumbers(store)).toEqual([1]);
  await store.append(FILE, frameOf(2));
  expect(await readNumbers(store)).toEqual([1, 2]);
  const { size } = await stat(join(dir, FILE.day, `${FILE.session}.rec`));
  expect(size).toBe(frameOf(1).length + frameOf(2).length);
});

test('leaves nothing of frames that a full disk did not take whole', async () => {
  let room = 3 * frameOf(1).length - 10;
  const store = createRecordingStore({
    dir,
    write: async (file, bytes, position) => {
      const length = Math.min(bytes.length, room, 7);
      if (length === 0) throw new Error('ENOSPC: no space left on device, write');
      room -= length;
      return (await file.write(bytes, 0, length, position)).bytesWritten;
    },
  });
  await store.append(FILE, frameOf(1));
  const two = Buffer.concat([frameOf(2), frameOf(3)]);
  await expect(store.append(FILE, two)).rejects.toThrow('no space left');
  expect((await stat(join(dir, FILE.day, `${FILE.session}.rec`))).size).toBe(frameOf(1).length);
  room = 1_000;
  await store.append(FILE, frameOf(3));
  expect(await readNumbers(store)).toEqual([1, 3]);
});

test('a file takes whole blocks of 4,096 bytes, however small it is', async () => {
  const store = createRecordingStore({ dir });
  const large = { ...FILE, session: idOf(5) };
  const frame = encodeFrame({ label: { view: idOf(2), at: 1, number: 1 }, packed: Buffer.alloc(5_000) });
  expect(await store.append(FILE, frameOf(1))).toBe(4_096);
  expect(await store.append(FILE, frameOf(2))).toBe(0);
  expect(await store.append(large, frame)).toBe(8_192);
  expect(await store.append(large, frame)).toBe(4_096);
  expect((await store.listFiles(FILE.day)).map(({ session, bytes }) => [session, bytes])).toEqual(
    expect.arrayContaining([
      [FILE.session, 4_096],
      [large.session, 12_288],
    ]),
  );
});

test('removes a file, and a day without files', async () => {
  const store = createRecordingStore({ dir });
  const other = { ...FILE, session: idOf(5) };
  await store.append(FILE, frameOf(1));
  await store.append(other, frameOf(1));
  await store.remove(FILE);
  expect(await store.listFiles(FILE.day)).toMatchObject([other]);
  await store.remove(other);
  await store.remove(other);
  expect(await readdir(dir)).toEqual([]);
  await store.append(FILE, frameOf(2));
  expect(await readNumbers(store)).toEqual([2]);
});

test('remembers what was erased, for nobody but the server, and reads around what is no line of ours', async () => {
  const store = createRecordingStore({ dir: join(dir, 'recordings') });
  expect(await store.readErased()).toEqual([]);
  const erased = ['a', 'b'].map((letter, at) => ({ hash: letter.repeat(64), at }));
  await store.writeErased(erased);
  await appendFile(join(dir, 'recordings/erased'), 'damaged\n');
  expect(await store.readErased()).toEqual(erased);
  expect(await store.listDays()).toEqual([]);
  await store.writeErased([]);
  expect(await store.readErased()).toEqual([]);
  expect((await stat(join(dir, 'recordings/erased'))).mode & 0o777).toBe(0o600);
});
