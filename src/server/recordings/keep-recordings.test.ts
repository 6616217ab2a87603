import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IntakeMessage, SessionRecord } from '../../contract/intake-message.ts';
import { isSoak } from '../../engine/testing/tenth-of.ts';
import { ORIGIN, createRecord, createSegment, idOf, packMessage } from '../testing/intake-messages.ts';
import { measureHeldBytes } from '../testing/measure-held.ts';
import { type KeepRecordingsOptions, type RecordingKeeper, keepRecordings } from './keep-recordings.ts';
import { type RecordingStoreOptions, type RecordingStore, createRecordingStore } from './recording-store.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;
const log = pino({ level: 'silent' });
const exec = promisify(execFile);

let dir: string;
let clock: { now: number };
let limits: { keepDays: number; keepBytes: number };
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-recordings-'));
  clock = { now: NOON };
  limits = { keepDays: 30, keepBytes: 5_000_000_000 };
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function open(
  options: Partial<KeepRecordingsOptions> & Pick<RecordingStoreOptions, 'write'> = {},
): RecordingKeeper {
  const { write, ...rest } = options;
  const store = createRecordingStore(write ? { dir, write } : { dir });
  return keepRecordings({ store, limits: () => limits, log, now: () => clock.now, ...rest });
}

/** The recordings as another process would find them. */
async function reopen(options?: Partial<KeepRecordingsOptions>): Promise<RecordingKeeper> {
  const keeper = open(options);
  await keeper.rebuild();
  return keeper;
}

function take(keeper: RecordingKeeper, ...messages: readonly IntakeMessage[]): readonly string[] {
  return messages.map((message) => keeper.take(packMessage(message), ORIGIN));
}

const listIds = (keeper: RecordingKeeper) => keeper.list({}, undefined).sessions.map(({ id }) => id);

async function readEvents(keeper: RecordingKeeper, session = idOf(1), view = idOf(2)): Promise<unknown> {
  const parts: string[] = [];
  for await (const part of keeper.readEvents(session, view)) parts.push(part);
  return JSON.parse(`[${parts.join(',')}]`);
}

/** All bytes of all files, with their names. */
async function readAll(): Promise<string> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  const texts = files.map(async (file) => file + (await readFile(file, 'latin1')));
  return (await Promise.all(texts)).join('\n');
}

const eventsOf = (number: number) => [{ type: 3, timestamp: number, text: `event ${number}` }];

test('groups the errors once for all who ask meanwhile', async () => {
  const keeper = open();
  const first = keeper.groupErrors();
  expect(keeper.groupErrors()).toBe(first);
  await first;
  expect(keeper.groupErrors()).not.toBe(first);
});

test('lists a session at once, and finds the same again on the disk', async () => {
  const keeper = open();
  const record = createRecord({
    segments: 3,
    vitals: { LCP: 1_200 },
    reachedLines: 2,
    failedLines: 1,
    errors: [{ at: NOON, message: 'it broke', stack: 'Error\n at run (https://a.example/app.js:1:2)' }],
    enteredLines: [{ at: NOON + 900, index: 1, host: 'line1.example', time: 38 }],
  });
  expect(take(keeper, record, createSegment(), createSegment({ number: 2 }))).toEqual(Array(3).fill('taken'));
  const [listed] = keeper.list({}, undefined).sessions;
  expect(listed).toMatchObject({
    id: idOf(1),
    startedAt: NOON,
    lastedMs: 900,
    device: 'pc',
    language: 'en',
    country: 'GB',
    network: 'GB/AS2856',
    views: [
      {
        id: idOf(2),
        reachedLines: 2,
        failedLines: 1,
        lcpMs: 1_200,
        errors: [{ at: NOON, message: 'it broke' }],
        entered: [{ at: NOON + 900, host: 'line1.example', time: 38 }],
        segments: { kept: 2, made: 3 },
      },
    ],
  });
  await keeper.flush();
  const later = await reopen();
  expect(later.list({}, undefined).sessions).toEqual([listed]);
  const stack = 'Error\n at run (https://a.example/app.js:1:2)';
  const errors = [{ at: NOON, message: 'it broke', stack }];
  expect(await later.find(idOf(1))).toEqual({ ...listed, views: [{ ...listed?.views[0], errors }] });
  expect(await later.find(idOf(7))).toBeUndefined();
});

test('a session lasts as long as the server or the visitor saw, and four hours at most', () => {
  const lasted = (changes: Partial<SessionRecord>) => {
    const keeper = open();
    take(keeper, createRecord(changes));
    return keeper.list({}, undefined).sessions[0]?.lastedMs;
  };
  const enteredAt = (at: number) => [{ at, index: 1, host: 'line1.example', time: 38 }];
  expect(lasted({})).toBe(0);
  expect(lasted({ enteredLines: enteredAt(NOON + 3_000) })).toBe(3_000);
  // The visitor's clock is wrong by a year: it is only compared with itself.
  const wrong = NOON + 365 * 86_400_000;
  const record = { sessionStartedAt: wrong, openedAt: wrong, startedAt: wrong };
  expect(lasted({ ...record, enteredLines: enteredAt(wrong + 3_000) })).toBe(3_000);
  expect(lasted({ enteredLines: enteredAt(wrong) })).toBe(14_400_000);
});

test('keeps a message once, however often it comes', async () => {
  const keeper = open();
  expect(take(keeper, createRecord(), createSegment(), createSegment(), createRecord())).toEqual([
    'taken',
    'taken',
    'duplicate',
    'duplicate',
  ]);
  await keeper.flush();
  const later = await reopen();
  expect(take(later, createSegment(), createRecord())).toEqual(['duplicate', 'duplicate']);
});

test('gives the events of a view in the order of its segments, also those that wait for the disk', async () => {
  const keeper = open();
  take(keeper, createSegment({ number: 10, events: eventsOf(10) }));
  await keeper.flush();
  take(
    keeper,
    createSegment({ number: 2, events: eventsOf(2) }),
    createSegment({ number: 1, view: idOf(9) }),
  );
  clock.now += DAY_MS;
  take(keeper, createSegment({ number: 11, events: eventsOf(11) }));
  expect(await readEvents(keeper)).toEqual([...eventsOf(2), ...eventsOf(10), ...eventsOf(11)]);
  expect(await readEvents(await reopen())).toEqual([...eventsOf(2), ...eventsOf(10), ...eventsOf(11)]);
});

test('the last revision of a view counts, whichever comes last', async () => {
  const keeper = open();
  take(
    keeper,
    createRecord({ revision: 3, reachedLines: 3 }),
    createRecord({ revision: 2, reachedLines: 2 }),
  );
  expect(keeper.list({}, undefined).sessions[0]?.views[0]?.reachedLines).toBe(3);
});

test('a clock that is wrong by years moves no session to the top of the list', async () => {
  const keeper = open();
  take(keeper, createRecord({ sessionStartedAt: NOON + 1e12 }));
  expect(keeper.list({}, undefined).sessions[0]?.startedAt).toBe(NOON);
  take(keeper, createRecord({ session: idOf(3), sessionStartedAt: 0 }));
  expect(keeper.list({}, undefined).sessions[1]?.startedAt).toBe(NOON - 14_400_000);
});

test('a session is closed after 10,000 messages, 20 MB or 100 views', async () => {
  const keeper = open({ maxQueueBytes: 1e9 });
  const verdicts = new Map<string, number>();
  for (let number = 1; number <= 10_001; number += 1) {
    const [verdict = ''] = take(keeper, createSegment({ number }));
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  expect([...verdicts]).toEqual([
    ['taken', 10_000],
    ['session-closed', 1],
  ]);
  const large = Buffer.alloc(250_000);
  const takeLarge = (number: number) =>
    keeper.take({ message: createSegment({ session: idOf(3), number }), packed: large }, ORIGIN);
  expect(Array.from({ length: 80 }, (_, index) => takeLarge(index + 1))).not.toContain('session-closed');
  expect(takeLarge(81)).toBe('session-closed');
  const views = Array.from({ length: 101 }, (_, index) =>
    createRecord({ session: idOf(4), view: idOf(100 + index) }),
  );
  expect(take(keeper, ...views).indexOf('session-closed')).toBe(100);
});

test('1,000 sessions at once lose no message', async () => {
  const keeper = open();
  const messages = Array.from({ length: 1_000 }, (_, session) => [
    createRecord({ session: idOf(session), segments: 2 }),
    createSegment({ session: idOf(session), number: 1, events: eventsOf(session) }),
    createSegment({ session: idOf(session), number: 2, events: eventsOf(session + 1) }),
  ]).flat();
  expect(new Set(take(keeper, ...messages))).toEqual(new Set(['taken']));
  await keeper.flush();
  const later = await reopen();
  expect(later.state().sessions).toBe(1_000);
  const kept = [...Array(1_000).keys()].map((session) => later.find(idOf(session)));
  for (const found of await Promise.all(kept)) {
    expect(found?.views[0]?.segments).toEqual({ kept: 2, made: 2 });
  }
});

test('a full disk costs nobody anything but what comes when the queue is full, and heals by itself', async () => {
  let isFull = true;
  const keeper = open({
    maxQueueBytes: 3_000,
    write: async (file, bytes, position) => {
      if (isFull) throw new Error('ENOSPC: no space left on device, write');
      return (await file.write(bytes, 0, bytes.length, position)).bytesWritten;
    },
  });
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
  const verdicts = take(
    keeper,
    ...numbers.map((number) => createSegment({ number, events: eventsOf(number) })),
  );
  const taken = verdicts.indexOf('queue-full');
  expect(taken).toBeGreaterThan(5);
  await keeper.flush();
  expect(keeper.state().fault).toContain('no space left');
  isFull = false;
  await keeper.flush();
  expect(keeper.state().fault).toBeNull();
  // The page tries again.
  expect(take(keeper, createSegment({ number: taken + 1, events: eventsOf(taken + 1) }))).toEqual(['taken']);
  expect(await readEvents(keeper)).toEqual(numbers.slice(0, taken + 1).flatMap(eventsOf));
});

test('while the disk hangs, senders that send as much as they can leave room for the next', async () => {
  let isHanging = true;
  const keeper = open({
    maxQueueBytes: 1_000_000,
    write: async (file, bytes, position) => {
      if (isHanging) throw new Error('EIO: i/o error, write');
      return (await file.write(bytes, 0, bytes.length, position)).bytesWritten;
    },
  });
  const packed = Buffer.alloc(10_000);
  let number = 0;
  const send = (sender: string) =>
    keeper.take({ message: createSegment({ number: (number += 1) }), packed }, ORIGIN, sender);
  const flood = (sender: string) =>
    Array.from({ length: 100 }, () => send(sender)).filter((verdict) => verdict === 'taken');
  expect(flood('198.51.100.0/24').length).toBe(11);
  for (let network = 0; network < 8; network += 1) flood(`198.18.${network}.0/24`);
  await keeper.flush();
  expect(send('198.51.100.0/24')).toBe('queue-full');
  expect(send('192.0.2.0/24')).toBe('taken');
  // What is on the disk takes no room any more.
  isHanging = false;
  await keeper.flush();
  expect(flood('198.51.100.0/24').length).toBe(11);
});

// Mounting needs root. `npm test` makes do with the disk above, which only says that it is full.
test.runIf(isSoak() && process.getuid?.() === 0)('a real disk that is full heals by itself', async () => {
  await exec('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', dir]);
  try {
    const filler = join(dir, 'filler');
    await writeFile(filler, Buffer.alloc(200_000));
    const keeper = open();
    const packed = Buffer.alloc(5_000);
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const number of numbers) {
      expect(keeper.take({ message: createSegment({ number }), packed }, ORIGIN)).toBe('taken');
      await keeper.flush();
    }
    expect(keeper.state().fault).toContain('ENOSPC');
    await rm(filler);
    await keeper.flush();
    expect(keeper.state().fault).toBeNull();
    const again = numbers.map((number) => createSegment({ number }));
    expect(take(await reopen(), ...again)).toEqual(numbers.map(() => 'duplicate'));
  } finally {
    await exec('umount', [dir]);
  }
});

test('a disk that hangs is told after ten seconds, and nobody waits for it', async () => {
  let release = (): void => undefined;
  const keeper = open({
    write: (file, bytes, position) =>
      new Promise((resolve) => {
        release = () =>
          resolve(file.write(bytes, 0, bytes.length, position).then((done) => done.bytesWritten));
      }),
  });
  take(keeper, createRecord());
  const flushing = keeper.flush();
  clock.now += 10_001;
  expect(take(keeper, createSegment())).toEqual(['taken']);
  expect(keeper.state().fault).toBe('nothing was written for 10 s');
  while (String(release).includes('undefined')) await new Promise(setImmediate);
  release();
  await flushing;
});

test.each(['waiting', 'being written'])(
  'a session that is erased leaves no byte, with a message %s',
  async (where) => {
    const keeper = open();
    const secret = { session: idOf(0xabcdef), view: idOf(0xfedcba) };
    const other = createRecord({ session: idOf(3) });
    take(keeper, createRecord(secret), other);
    await keeper.flush();
    clock.now += DAY_MS;
    take(keeper, createSegment(secret));
    await keeper.flush();
    take(keeper, createSegment({ ...secret, number: 2 }));
    expect(await readAll()).toContain(secret.session);
    const writing = where === 'waiting' ? undefined : keeper.flush();
    await Promise.all([writing, keeper.erase({ session: secret.session })]);
    await keeper.flush();
    const bytes = await readAll();
    expect(bytes).not.toContain(secret.session);
    expect(bytes).not.toContain(secret.view);
    expect(listIds(keeper)).toEqual([idOf(3)]);
    // Its page may still be open.
    expect(take(keeper, createSegment({ ...secret, number: 3 }))).toEqual(['session-closed']);
    expect(listIds(await reopen())).toEqual([idOf(3)]);
  },
);

test('a session that was erased stays so after a restart, whenever its page goes on', async () => {
  const keeper = open();
  take(keeper, createRecord(), createSegment());
  await keeper.erase({ session: idOf(1) });
  // Killed: nothing is closed. The next one gets messages before it has looked at the disk.
  const later = open();
  take(later, createSegment({ number: 2 }), createRecord({ session: idOf(3) }));
  await later.flush();
  expect(listIds(later)).toEqual([idOf(3)]);
  expect(take(later, createSegment({ number: 3 }), createRecord({ revision: 2 }))).toEqual([
    'session-closed',
    'session-closed',
  ]);
  await later.flush();
  expect(await readAll()).not.toContain(idOf(1));
});

test('an erased session is remembered as long as recordings are kept', async () => {
  limits.keepDays = 2;
  const keeper = open();
  await keeper.erase({ session: idOf(1) });
  clock.now += 2 * DAY_MS;
  await keeper.erase({ session: idOf(3) });
  const verdicts = async () => {
    await keeper.prune();
    const later = open();
    await later.flush();
    return take(later, createRecord(), createRecord({ session: idOf(3) }));
  };
  expect(await verdicts()).toEqual(['session-closed', 'session-closed']);
  clock.now += 3_600_000;
  expect(await verdicts()).toEqual(['taken', 'session-closed']);
});

test('nothing is written while it is not known what was erased', async () => {
  await open().erase({ session: idOf(1) });
  await rename(join(dir, 'erased'), join(dir, 'known'));
  await mkdir(join(dir, 'erased')); // Cannot be read as a file.
  const keeper = open();
  take(keeper, createRecord());
  await keeper.flush();
  expect(await readAll()).not.toContain(idOf(1));
  clock.now += 10_001;
  expect(keeper.state().fault).toBe('nothing was written for 10 s');
  await rm(join(dir, 'erased'), { recursive: true });
  await rename(join(dir, 'known'), join(dir, 'erased'));
  take(keeper, createRecord({ session: idOf(3) }));
  await keeper.flush();
  expect([keeper.state().fault, listIds(keeper)]).toEqual([null, [idOf(3)]]);
});

test('all before a day is erased, and what a session has later stays', async () => {
  const keeper = open();
  take(keeper, createRecord({ session: idOf(1) }), createRecord({ session: idOf(3) }), createSegment());
  await keeper.flush();
  clock.now += DAY_MS;
  take(keeper, createRecord({ session: idOf(1), revision: 2 }), createRecord({ session: idOf(4) }));
  await keeper.erase({ before: '2026-01-06' });
  expect(listIds(keeper).toSorted()).toEqual([idOf(1), idOf(4)]);
  await keeper.flush();
  expect(await readdir(dir)).toEqual(['2026-01-06']);
  expect(await readAll()).not.toContain(idOf(3));
  expect((await keeper.find(idOf(1)))?.views[0]?.segments.kept).toBe(0);
});

test('removes days that are older than those to keep, once an hour', async () => {
  limits.keepDays = 2;
  const keeper = open();
  for (const session of [1, 2, 3, 4]) {
    take(keeper, createRecord({ session: idOf(session) }));
    await keeper.flush();
    clock.now += DAY_MS;
  }
  await keeper.prune();
  expect(await readdir(dir)).toEqual(['2026-01-07', '2026-01-08']);
  expect(listIds(keeper)).toHaveLength(2);
  limits.keepDays = 1;
  clock.now += 3_599_999;
  await keeper.prune();
  expect(await readdir(dir)).toHaveLength(2);
  clock.now += 1;
  await keeper.prune();
  expect(await readdir(dir)).toEqual(['2026-01-08']);
});

test('removes the oldest sessions as soon as all are larger than they may be', async () => {
  const keeper = open();
  const packed = Buffer.alloc(10_000);
  const takeLarge = async (session: number): Promise<void> => {
    keeper.take({ message: createSegment({ session: idOf(session) }), packed }, ORIGIN);
    take(keeper, createRecord({ session: idOf(session) }));
    await keeper.flush();
  };
  await takeLarge(1);
  clock.now += DAY_MS;
  for (const session of [2, 3, 4]) await takeLarge(session);
  limits.keepBytes = 30_000;
  await keeper.prune();
  expect(keeper.state().bytes).toBeLessThanOrEqual(30_000);
  expect(listIds(keeper).toSorted()).toEqual([idOf(3), idOf(4)]);
  await takeLarge(5);
  await keeper.prune();
  expect(listIds(keeper).toSorted()).toEqual([idOf(4), idOf(5)]);
});

test('hands out no more events of a view than a browser can play', async () => {
  const keeper = open({ maxPlayedChars: 120 });
  const numbers = [1, 2, 3];
  take(
    keeper,
    createRecord(),
    ...numbers.map((number) => createSegment({ number, events: eventsOf(number) })),
  );
  expect(await readEvents(keeper)).toEqual([...eventsOf(1), ...eventsOf(2)]);
});

test('many tiny sessions take no more of the disk than large ones', async () => {
  limits.keepBytes = 100_000;
  const keeper = open();
  for (let session = 1; session <= 40; session += 1) {
    clock.now += 1_000;
    take(keeper, createRecord({ session: idOf(session) }));
    await keeper.flush();
  }
  expect(keeper.state().bytes).toBe(40 * 4_096);
  await keeper.prune();
  expect(listIds(keeper)).toHaveLength(23);
  expect(await readdir(join(dir, '2026-01-05'))).toHaveLength(23);
});

test('makes room for more than the next message, because all files are counted for it', async () => {
  limits.keepBytes = 163_840;
  const store = createRecordingStore({ dir });
  let counted = 0;
  const listFiles: RecordingStore['listFiles'] = (day) => {
    counted += 1;
    return store.listFiles(day);
  };
  const keeper = open({ store: { ...store, listFiles } });
  for (let session = 1; session <= 41; session += 1) take(keeper, createRecord({ session: idOf(session) }));
  await keeper.flush();
  await keeper.prune();
  const before = counted;
  for (const session of [42, 43]) {
    take(keeper, createRecord({ session: idOf(session) }));
    await keeper.flush();
    await keeper.prune();
  }
  expect(counted).toBe(before);
  take(keeper, createRecord({ session: idOf(44) }));
  await keeper.flush();
  await keeper.prune();
  expect(counted).toBeGreaterThan(before);
  expect(keeper.state().bytes).toBeLessThanOrEqual(163_840);
});

test('a clock that was set back by a year does not stop the removal of old days', async () => {
  limits.keepDays = 2;
  const keeper = open();
  clock.now += 365 * DAY_MS;
  await keeper.prune();
  clock.now = NOON;
  take(keeper, createRecord());
  await keeper.flush();
  clock.now += 5 * DAY_MS;
  await keeper.prune();
  expect(await readdir(dir)).toEqual([]);
});

test('the index holds nothing of a record but the pieces that it shows', () => {
  const stack = `${'x'.repeat(14_000)}\n at run (https://a.example/app.js:1:2)`;
  const errors = [{ at: NOON, message: 'it broke', stack }];
  const held = measureHeldBytes(() => {
    const keeper = open();
    for (let view = 1; view <= 300; view += 1) {
      const record = createRecord({ session: idOf(Math.ceil(view / 100)), view: idOf(view), errors });
      // As it comes from the network: each record has texts of its own.
      const message = JSON.parse(JSON.stringify(record)) as IntakeMessage;
      expect(keeper.take({ message, packed: Buffer.alloc(1) }, ORIGIN)).toBe('taken');
    }
    return keeper;
  });
  // Of more than 4 MB that were sent.
  expect(held).toBeLessThan(2_000_000);
});

test('an index that is full keeps the newest sessions, and the others can still be opened', async () => {
  const options = { maxIndexBytes: 20_000 };
  const keeper = open(options);
  for (let session = 0; session < 50; session += 1) {
    clock.now += 1_000;
    take(keeper, createRecord({ session: idOf(session), sessionStartedAt: clock.now }));
  }
  expect(listIds(keeper).length).toBeLessThan(20);
  expect(listIds(keeper)[0]).toBe(idOf(49));
  await keeper.flush();
  expect(await keeper.find(idOf(0))).toMatchObject({ id: idOf(0) });
  expect((await reopen(options)).state().sessions).toBeLessThan(20);
});
