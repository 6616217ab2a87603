import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VITALS, type VitalName } from '../../contract/visitors.ts';
import { nameBucket, summarizeVital } from './vital-buckets.ts';

function summarize(vital: VitalName, values: readonly number[]) {
  const counts = new Map<string, number>();
  for (const value of values) {
    const bucket = nameBucket(vital, value);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return summarizeVital(vital, (bucket) => counts.get(bucket) ?? 0);
}

test.each<[VitalName, good: number, poor: number]>([
  ['LCP', 2_500, 4_000],
  ['INP', 200, 500],
  ['CLS', 0.1, 0.25],
  ['FCP', 1_800, 3_000],
  ['TTFB', 800, 1_800],
])('%s is good up to %d, and poor above %d, by Google’s bounds', (vital, good, poor) => {
  const little = good / 1_000;
  expect(summarize(vital, [good, good + little, poor, poor + little])).toMatchObject({
    count: 4,
    good: 1,
    poor: 1,
  });
});

test('no page told it: there is no p75', () => {
  expect(summarize('LCP', [])).toEqual({ count: 0, p75: null, good: 0, poor: 0 });
});

test('the p75 lies in the bucket of the exact one, whatever the values', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...VITALS),
      fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      (vital, values) => {
        const exact = values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.75) - 1] ?? 0;
        const { p75 } = summarize(vital, values);
        const bucket = nameBucket(vital, exact);
        // Above the last bound nothing is known: the p75 is that bound.
        if (bucket === 'more') expect(p75).toBeLessThan(exact);
        else expect(nameBucket(vital, (p75 ?? 0) * (1 - 1e-12))).toBe(bucket);
      },
    ),
  );
});
