import { describe, expect, test } from 'vitest';
import { countReport } from '../count-report.ts';
import { type Counts, addCounts, addVisits, createCounts, openTally } from '../counts.ts';
import { packCounts, unpackCounts } from './redis-counts.ts';

/** What a busy second counts. */
function countSecond(): Counts {
  const counts = createCounts();
  for (let visitor = 0; visitor < 30; visitor += 1) {
    counts.site.hostnameCalls += 1;
    openTally(counts, 'line-a').handedOut += 1;
    addVisits(openTally(counts, 'line-a'), 0.123 + visitor / 100);
    const outcome = (['valid', 'open', 'timeout'] as const)[visitor % 3] ?? 'valid';
    const report = {
      area: `GB/AS${visitor % 4}`,
      prefix: `198.51.${visitor}`,
      lineIds: ['line-a', 'line-b'],
      results: [
        { index: 0, outcome, time: 10 * visitor },
        { index: 1, outcome: 'valid' as const, time: 70 },
      ],
      entered: visitor % 2,
    };
    addCounts(counts, countReport(report));
    const results = [{ index: 0, outcome: 'timeout' as const, time: 5_000 }];
    addCounts(counts, countReport({ ...report, results, entered: null }));
  }
  return counts;
}

function pack(counts: Counts): Map<string, Map<string, number>> {
  const rows = new Map<string, Map<string, number>>();
  packCounts(counts, (row, field, amount) => {
    const fields = rows.get(row) ?? new Map<string, number>();
    rows.set(row, fields.set(field, (fields.get(field) ?? 0) + amount));
  });
  return rows;
}

describe('counts in Redis', () => {
  test('come back as they were, to the last bit', () => {
    expect(unpackCounts(pack(countSecond()))).toEqual(countSecond());
  });

  test('are whole numbers, whatever they count', () => {
    packCounts(countSecond(), (_row, field, amount) => {
      expect([field, Number.isInteger(amount), amount > 0]).toEqual([field, true, true]);
    });
    expect.hasAssertions();
  });

  test('have the names that replicas of an older version know', () => {
    const counts = countReport({
      area: 'GB/AS1',
      prefix: '198.51.100',
      lineIds: ['line-a', 'line-b', 'line-c'],
      results: [
        { index: 0, outcome: 'valid', time: 200 },
        { index: 1, outcome: 'timeout', time: 99_999 },
        { index: 2, outcome: 'open', time: 0 },
      ],
      entered: 0,
    });
    counts.site.hostnameCalls = 1;
    openTally(counts, 'line-a').handedOut = 1;
    addVisits(openTally(counts, 'line-a'), 0.25);
    const rows = [...pack(counts)].map(([row, fields]) => [row, Object.fromEntries(fields)]);
    expect(Object.fromEntries(rows)).toEqual({
      'GB/AS1#22': { 'oline-a': 1, 'lline-a': 5_298, 'fline-b': 10, 'xline-b': 1, 'fline-c': 3 },
      '*': {
        'hline-a': 1,
        'vline-a': 250,
        'tline-a': 1,
        'rline-a': 1,
        'eline-a': 1,
        'Kline-a': 1,
        'tline-b': 1,
        'h*': 1,
        't*': 1,
        'r*': 1,
        'K*': 1,
      },
    });
  });
});
