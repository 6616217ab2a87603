import { expect, test } from 'vitest';
import { describeError } from './describe-error.ts';

const describe = (event: object) => describeError({ at: 7, event: event as never });

test('an error has its message and its stack', () => {
  const error = new TypeError('no such row');
  const { stack } = error;
  expect(describe({ error, message: 'Uncaught TypeError: no such row' })).toEqual({
    at: 7,
    message: 'Uncaught TypeError: no such row',
    stack,
  });
  expect(describe({ reason: error })).toEqual({ at: 7, message: 'TypeError: no such row', stack });
});

test('what is no error has the place where it was thrown, if the browser tells', () => {
  const place = { filename: 'https://portal.example/a.js', lineno: 3, colno: 14 };
  expect(describe({ error: 'no', message: 'Uncaught no', ...place })).toEqual({
    at: 7,
    message: 'Uncaught no',
    stack: 'https://portal.example/a.js:3:14',
  });
  expect(describe({ reason: undefined })).toEqual({ at: 7, message: 'undefined', stack: '' });
});

const refuse = () => {
  throw new Error('no');
};

test.each([
  ['without a prototype', Object.create(null)],
  ['whose text cannot be read', { toString: refuse }],
  ['whose stack cannot be read', Object.defineProperty(new Error('x'), 'stack', { get: refuse })],
])('a rejection with an object %s has a fixed text', (_, reason: unknown) => {
  expect(describe({ reason })).toEqual({ at: 7, message: 'an object without a text', stack: '' });
});
