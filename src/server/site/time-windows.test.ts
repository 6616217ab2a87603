import { expect, test } from 'vitest';
import { findMaintenance, findSiteMaintenance } from './time-windows.ts';

const AT = Date.parse('2026-12-01T08:00+08:00');

test.each([
  ['that has no times', {}, true],
  ['from this very moment on', { from: '2026-12-01T08:00+08:00' }, true],
  ['from the next minute on', { from: '2026-12-01T08:01+08:00' }, false],
  ['until this very moment', { until: '2026-12-01T00:00Z' }, false],
  ['until the next minute', { until: '2026-12-01T00:01Z' }, true],
  ['from before until later', { from: '2026-11-30T23:00Z', until: '2026-12-01T09:00+08:00' }, true],
])('a maintenance %s: %o is on: %s', (_, times, isOn) => {
  const maintenance = { ...times, reason: 'new disks' };
  expect(findMaintenance([maintenance], AT)).toEqual(isOn ? maintenance : undefined);
});

test('of several maintenances of the site one that closes it counts, then the one that ends last', () => {
  const [short, long, open, past] = [
    { until: '2026-12-01T09:00+08:00', closes: true },
    { until: '2026-12-01T10:00+08:00', closes: true },
    { closes: false },
    { until: '2026-11-01T00:00Z', closes: true },
  ];
  expect(findSiteMaintenance([open, past, short, long], AT)).toBe(long);
  expect(findSiteMaintenance([short, long, { closes: true }], AT)).toEqual({ closes: true });
  expect(findSiteMaintenance([past, open], AT)).toBe(open);
  expect(findSiteMaintenance([past], AT)).toBeUndefined();
});

test('of two maintenances the first whose time it is counts', () => {
  const [past, now] = [{ until: '2026-11-01T00:00Z', reason: 'past' }, { reason: 'now' }];
  expect(findMaintenance([past, now, { reason: 'also now' }], AT)).toBe(now);
  expect(findMaintenance([], AT)).toBeUndefined();
});
