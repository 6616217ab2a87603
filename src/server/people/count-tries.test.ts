import { expect, test } from 'vitest';
import { countTries } from './count-tries.ts';

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
