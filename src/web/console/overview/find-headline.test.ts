import { expect, test } from 'vitest';
import { TEXTS } from '../texts.ts';
import { findHeadline } from './find-headline.ts';

const HOUR = { visitors: 5, reports: 0, entered: 0, p50: null, p95: null };
const NO_LINES = { up: 0, degraded: 0, down: 0, unknown: 0 };

test.each([
  [
    { ...NO_LINES, up: 4 },
    { status: 'up', text: TEXTS.allWell, hint: '' },
  ],
  [
    { ...NO_LINES, up: 3, unknown: 1 },
    { status: 'unknown', text: TEXTS.noneDown, hint: TEXTS.linesUnknown(1) },
  ],
  [{ ...NO_LINES, up: 3, down: 1, unknown: 1 }, { status: 'down' }],
  [{ ...NO_LINES, up: 3, degraded: 1 }, { status: 'degraded' }],
])('of lines that are %o it says no more than is known', (lines, expected) => {
  expect(findHeadline({ hour: HOUR, at: 0, lines }, [])).toMatchObject(expected);
});

test('before the first visitor it says so', () => {
  const hour = { ...HOUR, visitors: null };
  expect(findHeadline({ hour, at: 0, lines: { ...NO_LINES, up: 4 } }, [])).toMatchObject({
    text: TEXTS.nothingYet,
  });
});
