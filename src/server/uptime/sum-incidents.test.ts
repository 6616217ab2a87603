import { expect, test } from 'vitest';
import type { PastIncident } from '../../contract/uptime.ts';
import { sumIncidents } from './sum-incidents.ts';

const PERIOD = { from: 1_000, until: 10_000 };

function happen(startedAt: number, endedAt: number | null, takenAfterMs?: number): PastIncident {
  return {
    id: `${startedAt}`,
    kind: 'line-down',
    severity: 'high',
    subject: 'a',
    lines: ['a'],
    startedAt,
    endedAt,
    noticedAt: startedAt,
    takenAt: takenAfterMs === undefined ? null : startedAt + takenAfterMs,
  };
}

test('incidents at the same time count once, and only inside the period', () => {
  const all = [happen(0, 2_000), happen(3_000, 5_000), happen(4_000, 4_500), happen(9_000, null)];
  expect(sumIncidents(all, PERIOD)).toMatchObject({ count: 4, totalMs: 4_000, longestMs: 2_000 });
});

test('the time until somebody took one is the median of those that were taken', () => {
  const all = [happen(2_000, 3_000), happen(2_000, 3_000, 100), happen(2_000, 3_000, 500)];
  expect(sumIncidents(all, PERIOD)).toMatchObject({ taken: 2, takenAfterMs: 300 });
  expect(sumIncidents([], PERIOD)).toEqual({
    count: 0,
    totalMs: 0,
    longestMs: null,
    taken: 0,
    takenAfterMs: null,
  });
});
