import { expect, test } from 'vitest';
import { findTooManyDays, findKeepDays } from './offline-settings.ts';

const NOBODY = { restrictedRegions: [] };
const SOMEBODY = { restrictedRegions: ['AQ'] };

test.each([
  [{ mode: 'auto' }, NOBODY, 7],
  [{ mode: 'auto', days: 3 }, NOBODY, 3],
  [{ mode: 'on' }, NOBODY, 7],
  [{ mode: 'off', days: 3 }, NOBODY, undefined],
  [{ mode: 'auto' }, SOMEBODY, undefined],
  [{ mode: 'on' }, SOMEBODY, 1],
  [{ mode: 'on', days: 7 }, SOMEBODY, 1],
  [{ mode: 'off' }, SOMEBODY, undefined],
] as const)('%j with %j keeps lines for %s days', (offline, compliance, days) => {
  expect(findKeepDays({ offline, compliance })).toBe(days);
});

test('a site with restricted regions is told the most days that it may have', () => {
  expect(findTooManyDays({ offline: { mode: 'on', days: 7 }, compliance: SOMEBODY })).toBe(1);
  expect(findTooManyDays({ offline: { mode: 'on', days: 7 }, compliance: NOBODY })).toBeUndefined();
  expect(findTooManyDays({ offline: { mode: 'on' }, compliance: SOMEBODY })).toBeUndefined();
});
