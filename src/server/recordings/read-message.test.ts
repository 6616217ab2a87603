import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createRecord, createSegment } from '../testing/intake-messages.ts';
import { readMessage } from './read-message.ts';

const read = (message: unknown, isPacked = false): ReturnType<typeof readMessage> => {
  const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  return readMessage(isPacked ? gzipSync(bytes) : bytes);
};

/** Text that does not compress well, so that no ratio is met. */
function makeNoise(length: number): string {
  let state = 1;
  const next = () => String.fromCharCode(97 + ((state = (state * 48_271) % 2_147_483_647) % 26));
  return Array.from({ length }, next).join('');
}

/** Events whose JSON has exactly this many bytes. */
function makeEvents(bytes: number, count: number) {
  const events = Array.from({ length: count }, () => ({ type: 3, timestamp: 1, text: '' }));
  const empty = Buffer.byteLength(JSON.stringify(events));
  return [{ type: 3, timestamp: 1, text: makeNoise(bytes - empty) }, ...events.slice(1)];
}

test.each([createRecord(), createSegment()])('reads a $kind, plain and gzipped', (message) => {
  expect(read(message)).toMatchObject({ message });
  expect(read(message, true)).toMatchObject({ message });
});

test('keeps the bytes of a compressed message as they came, and compresses a plain one', () => {
  const json = JSON.stringify(createSegment());
  const packed = gzipSync(json);
  expect(readMessage(packed)).toMatchObject({ packed });
  expect(readMessage(Buffer.from(json))).toMatchObject({ packed });
});

const HREF = 'https://brand.example/?coupon=SECRET#SECRET';

test.each([
  ['a segment', JSON.stringify(createSegment({ events: [{ type: 4, timestamp: 1, data: { href: HREF } }] }))],
  ['a record', JSON.stringify(createRecord({ errors: [{ at: 1, message: HREF, stack: `${HREF}:1:2` }] }))],
  ['a key that is given twice', `{"kind":"${HREF}",${JSON.stringify(createSegment()).slice(1)}`],
  ['a text that is written in numbers', JSON.stringify(createRecord({ page: HREF })).replace('?', '\\u003f')],
])('keeps no query and no fragment of an address, whatever a page sends: %s', (_what, json) => {
  for (const isPacked of [false, true]) {
    const taken = read(json, isPacked);
    if (typeof taken === 'string') throw new Error(taken);
    expect(JSON.stringify(taken.message)).not.toContain('SECRET');
    expect(gunzipSync(taken.packed).toString()).not.toContain('SECRET');
    expect(JSON.parse(gunzipSync(taken.packed).toString())).toEqual(taken.message);
  }
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['an unknown kind', { ...createRecord(), kind: 'other' }],
  ['an unknown key', { ...createRecord(), more: 1 }],
  ['the id of a path', createRecord({ session: '../../etc/passwd' })],
  ['an id in capitals', createRecord({ session: 'A'.repeat(32) })],
  ['a time that no clock shows', createRecord({ openedAt: 1e300 })],
  ['a segment without events', createSegment({ events: [] })],
  [
    'events that are nested very deeply',
    `{"kind":"segment","session":"${'0'.repeat(32)}","view":"${'0'.repeat(32)}","number":1,"events":[{"type":1,"timestamp":1},{"type":1,"timestamp":1,"data":${'['.repeat(25_000)}${']'.repeat(25_000)}}]}`,
  ],
])('refuses %s', (_what, message) => {
  expect(read(message)).toBe('message-invalid');
});

test('refuses a gzip that is broken, or cut off', () => {
  const packed = gzipSync(JSON.stringify(createSegment()));
  expect(readMessage(packed.subarray(0, -9))).toBe('message-invalid');
  expect(readMessage(Buffer.from([0x1f, 0x8b, 0, 0]))).toBe('message-invalid');
});

test('takes events of 60,000 bytes, and a single event of any size that a message may have', () => {
  expect(read(createSegment({ events: makeEvents(60_000, 2) }), true)).toBeTypeOf('object');
  expect(read(createSegment({ events: makeEvents(60_001, 2) }), true)).toBe('message-too-large');
  expect(read(createSegment({ events: makeEvents(261_000, 1) }), true)).toBeTypeOf('object');
  expect(read(createSegment({ events: makeEvents(262_145, 1) }), true)).toBe('message-too-large');
});

test('does not look at the events of a segment that has too many of them', () => {
  const events = Array.from({ length: 40_000 }, () => ({}));
  expect(read({ ...createSegment(), events })).toBe('message-too-large');
});

test('does not look at the items of a record that is larger than pages make', () => {
  const enteredLines = Array.from({ length: 40_000 }, () => ({}));
  expect(read({ ...createRecord(), enteredLines })).toBe('message-too-large');
  const errors = [{ at: 1, message: 'x', stack: 'x'.repeat(16_384) }];
  expect(read(createRecord({ errors }))).toBe('message-too-large');
});

test('refuses what unpacks to more than 20 times its size, without unpacking it', () => {
  const events = [{ type: 3, timestamp: 1, text: 'x'.repeat(50_000) }];
  expect(read(createSegment({ events }), true)).toBe('message-too-large');
  // 20 MB in 20 KB.
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(readMessage(bomb)).toBe('message-too-large');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});
