import { describe, expect, test } from 'vitest';
import { sampleLine } from '../testing/sample-line.ts';
import { type SortKey, filterLines, keepOrder, sortLines } from './order-lines.ts';

const LINES = [
  sampleLine({ host: 'line10', status: 'up', tried: 10, reached: 9, p50: 300 }),
  sampleLine({ host: 'line2', status: 'down', tried: 100, reached: 0, p50: null }),
  sampleLine({ host: 'line1', status: 'unknown' }),
  sampleLine({ host: 'backup1', status: 'degraded', tried: 4, reached: 3, p50: 20 }),
];

const sorted = (key: SortKey, isDescending: boolean) =>
  sortLines(LINES, { key, isDescending }).map(({ host }) => host);

describe('sorting', () => {
  test('puts trouble first, and numbers in names in their order', () => {
    expect(sorted('status', true)).toEqual(['line2', 'backup1', 'line10', 'line1']);
    expect(sorted('host', false)).toEqual(['backup1', 'line1', 'line2', 'line10']);
  });

  test('puts what is not known last, both ways', () => {
    expect(sorted('p50', false)).toEqual(['backup1', 'line10', 'line2', 'line1']);
    expect(sorted('p50', true)).toEqual(['line10', 'backup1', 'line2', 'line1']);
    expect(sorted('reached', false)).toEqual(['line2', 'backup1', 'line10', 'line1']);
  });
});

test('a filter looks at the host and the state', () => {
  const hosts = (filter: Parameters<typeof filterLines>[1]) =>
    filterLines(LINES, filter).map(({ host }) => host);
  expect(hosts({ text: ' LINE1', state: 'all' })).toEqual(['line10', 'line1']);
  expect(hosts({ text: '', state: 'trouble' })).toEqual(['line2', 'backup1']);
  expect(hosts({ text: 'line', state: 'unknown' })).toEqual(['line1']);
});

test('an order that is kept has new lines at its end, and none that have gone', () => {
  const [ten, two, one, backup] = LINES.map(({ id }) => id);
  const kept = keepOrder(LINES.slice(0, 3), [backup, one, ten].map(String));
  expect(kept.map(({ id }) => id)).toEqual([one, ten, two]);
});
