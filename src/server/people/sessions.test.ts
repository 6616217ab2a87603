import { beforeEach, expect, test } from 'vitest';
import { type Sessions, createSessions } from './sessions.ts';

const START = { person: 'li.wei', epoch: 0, prefix: '127.0.0.0/24', isSecure: false };

let clock: number;
let sessions: Sessions;

beforeEach(() => {
  clock = 1_000_000;
  sessions = createSessions(() => clock);
});

const cookiesOf = (header: string, isSecure = false) => ({ cookies: header.split(';')[0], isSecure });

test('a session ends after 12 hours, however much it is used', () => {
  const cookies = cookiesOf(sessions.start(START));
  for (let minutes = 30; minutes < 12 * 60; minutes += 30) {
    clock += 30 * 60_000;
    expect(sessions.find(cookies)?.person).toBe('li.wei');
  }
  clock += 30 * 60_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('a session that is not used for an hour ends', () => {
  const cookies = cookiesOf(sessions.start(START));
  clock += 3_599_999;
  expect(sessions.find(cookies)).toBeDefined();
  clock += 3_600_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('a session that began while the clock was wrong by a year does not last for a year', () => {
  clock += 365 * 86_400_000;
  const cookies = cookiesOf(sessions.start(START));
  clock -= 1_000;
  expect(sessions.find(cookies)).toBeDefined();
  clock = 1_000_000;
  expect(sessions.find(cookies)).toBeUndefined();
});

test('over TLS the cookie is one that only this host can set over TLS, and a plain one counts for nothing', () => {
  const header = sessions.start({ ...START, isSecure: true });
  expect(header).toMatch(
    /^__Host-waypost\.console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const [pair = ''] = header.split(';');
  expect(sessions.find({ cookies: pair, isSecure: true })).toBeDefined();
  expect(sessions.find({ cookies: pair.replace('__Host-', ''), isSecure: true })).toBeUndefined();
  expect(sessions.find({ cookies: pair.replace('__Host-', ''), isSecure: false })).toBeDefined();
});

test('whoever signs in anew gets a new key, and the old one is worth nothing', () => {
  const before = cookiesOf(sessions.start(START));
  const id = sessions.find(before)?.id;
  const after = cookiesOf(sessions.start(START, before));
  expect(after.cookies).not.toBe(before.cookies);
  expect(sessions.find(before)).toBeUndefined();
  expect(sessions.find(after)?.id).toBe(id);
  const other = cookiesOf(sessions.start({ ...START, person: 'mei' }, after));
  expect(sessions.find(other)?.id).not.toBe(id);
});

test('a person has at most ten sessions: the oldest ends', () => {
  const first = cookiesOf(sessions.start(START));
  const others = cookiesOf(sessions.start({ ...START, person: 'mei' }));
  for (let count = 0; count < 9; count += 1) sessions.start(START);
  expect(sessions.find(first)).toBeDefined();
  sessions.start(START);
  expect(sessions.find(first)).toBeUndefined();
  expect(sessions.list('li.wei', 0)).toHaveLength(10);
  expect(sessions.find(others)).toBeDefined();
});

test('the list has the sessions of one person and epoch, without their keys', () => {
  const cookies = cookiesOf(sessions.start(START));
  sessions.start({ ...START, epoch: 1 });
  sessions.start({ ...START, person: 'mei' });
  const key = cookies.cookies?.split('=')[1] ?? '';
  expect(sessions.list('li.wei', 0)).toHaveLength(1);
  expect(JSON.stringify(sessions.list('li.wei', 0))).not.toContain(key);
});
