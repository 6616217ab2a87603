import { expect, test } from 'vitest';
import { findOffsetMs } from './find-offset-ms.ts';

const SUMMER = Date.UTC(2026, 6, 1);
const WINTER = Date.UTC(2026, 11, 1);

test.each([
  ['Asia/Singapore', WINTER, 28_800_000],
  ['UTC', WINTER, 0],
  ['Asia/Kolkata', WINTER, 19_800_000],
  ['America/New_York', SUMMER, -14_400_000],
  ['America/New_York', WINTER, -18_000_000],
])('the clocks of %s at %i are %i ms ahead of UTC', (timeZone, at, offsetMs) => {
  expect(findOffsetMs(timeZone, at)).toBe(offsetMs);
});
