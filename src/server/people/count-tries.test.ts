import { expect, test } from 'vitest';
import { countTries } from './count-tries.ts';
import { type PeopleCode, PeopleError } from './people-error.ts';

function createTries(maxKeys?: number) {
  const clock = { now: 0 };
  const tries = countTries({
    now: () => clock.now,
    windowMs: 300_000,
    maxTries: 2,
    ...(maxKeys === undefined ? {} : { maxKeys }),
  });
  return { clock, ...tries };
}

test('a try counts before it is known whether it is right, so that many at once do not get past the limit', () => {
  const { take } = createTries();
  take('a');
  take('a');
  expect(() => take('a')).toThrow('try again in 300 seconds');
  expect(() => take('b')).not.toThrow();
});

test('a right try is given back', () => {
  const { take, giveBack } = createTries();
  for (let count = 0; count < 10; count += 1) {
    take('a');
    giveBack('a');
  }
  take('a');
  expect(() => take('a')).not.toThrow();
});

const refuse = (code: PeopleCode) => Promise.reject(new PeopleError(code, ''));

test.each([
  ['is right', () => Promise.resolve('mei')],
  ['could not be checked', () => refuse('too-many-sign-ins')],
])('an attempt that %s is given back', async (_what, check) => {
  const { attempt, take } = createTries();
  for (let count = 0; count < 10; count += 1) await attempt('a', check).catch(() => undefined);
  expect(() => take('a')).not.toThrow();
});

test.each([
  ['is wrong', () => Promise.resolve(undefined)],
  ['fails otherwise', () => refuse('changed-meanwhile')],
])('an attempt that %s counts', async (_what, check) => {
  const { attempt, take } = createTries();
  for (let count = 0; count < 2; count += 1) await attempt('a', check).catch(() => undefined);
  expect(() => take('a')).toThrow('Too many wrong tries');
});

test('tries are forgotten after the window, and when the clock was set back', () => {
  const { clock, take } = createTries();
  take('a');
  take('a');
  clock.now = 299_999;
  expect(() => take('a')).toThrow('try again in 1 seconds');
  clock.now = 300_000;
  expect(() => take('a')).not.toThrow();
  take('a');
  clock.now = -1;
  expect(() => take('a')).not.toThrow();
});

test('memory is bounded: the key that was seen first is forgotten', () => {
  const { take } = createTries(2);
  take('a');
  take('a');
  take('b');
  take('c');
  expect(() => take('a')).not.toThrow();
});
