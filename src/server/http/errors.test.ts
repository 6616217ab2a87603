import { pino } from 'pino';
import { expect, test } from 'vitest';
import {
  ConflictError,
  StoreAwayError,
  StoreFaultError,
  StoreFullError,
  UncertainCommitError,
} from '../store/database.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { describeError } from './errors.ts';

const log = pino({ level: 'silent' });

test.each([
  ['is away', new StoreAwayError('secret: no route to host'), 'store-away', /^Nothing was changed/],
  [
    'refuses this portal',
    new StoreFaultError('secret: wrong password'),
    'store-away',
    /^Nothing was changed/,
  ],
  ['is full', new StoreFullError('secret: no space'), 'store-full', /^Nothing was changed/],
  ['is lost while it commits', new UncertainCommitError('secret'), 'store-uncertain', /may have been made/],
])('a database that %s is told in words that name no host', (_title, error, code, words) => {
  const { status, body } = describeError(error, log);
  expect({ status, code: body.error.code }).toEqual({ status: 503, code });
  expect(body.error.message).toMatch(words);
  expect(body.error.message).not.toContain('secret');
});

test('a change that others got in the way of six times is told as not made', async () => {
  let tries = 0;
  const conflict = async () => {
    tries += 1;
    throw new ConflictError('another one was faster');
  };
  const error: unknown = await retryConflicts(conflict, () => 0).catch((reason: unknown) => reason);
  expect(tries).toBe(6);
  expect(describeError(error, log)).toMatchObject({ status: 503, body: { error: { code: 'store-away' } } });
});
