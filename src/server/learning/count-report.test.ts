import { expect, test } from 'vitest';
import { type CountedReport, countReport } from './count-report.ts';
import { createVoterRow } from './voters.ts';
import { type Counts, addCount } from './counts.ts';

/** Of the visitor's voter. */
const ROW = createVoterRow('GB/AS1', '198.51.100');

function count(report: Partial<CountedReport>): Record<string, Record<string, number>> {
  const counts: Counts = new Map();
  countReport(
    { area: 'GB/AS1', prefix: '198.51.100', lineIds: ['a', 'b', 'c'], results: [], entered: null, ...report },
    (...each) => addCount(counts, ...each),
  );
  return Object.fromEntries([...counts].map(([row, fields]) => [row, Object.fromEntries(fields)]));
}

test('a valid answer counts with the logarithm of its time', () => {
  const counts = count({ results: [{ index: 1, outcome: 'valid', time: 200 }], entered: 1 });
  expect(counts[ROW]).toEqual({ ob: 1, lb: Math.round(Math.log(200) * 1_000) });
  expect(counts['*']).toMatchObject({ tb: 1, rb: 1, eb: 1, 't*': 1, 'r*': 1 });
});

test('a time under 20 ms counts as 20', () => {
  const [one, twenty] = [1, 20].map((time) => count({ results: [{ index: 0, outcome: 'valid', time }] }));
  expect(one).toEqual(twenty);
});

test('a probe that was still open counts as three tenths of a failure', () => {
  const results = (['open', 'timeout', 'unreachable', 'wrong-server'] as const).map((outcome) => ({
    index: 0,
    outcome,
    time: 0,
  }));
  const counts = count({ results });
  expect(counts[ROW]).toEqual({ fa: 33, xa: 3 });
  // To the operator it is neither reached nor lost: the loser of a race would look as if it failed.
  expect(counts['*']).toMatchObject({ ta: 3 });
});

test('an index that the ticket does not have counts for nobody', () => {
  const counts = count({ results: [{ index: 7, outcome: 'valid', time: 50 }], entered: 7 });
  expect(counts).toEqual({ '*': { 't*': 1 } });
});
