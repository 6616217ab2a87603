import { expect, test } from 'vitest';
import { type CountedReport, countReport } from './count-report.ts';
import type { Counts, Observation } from './counts.ts';

const NOTHING: Observation = { reached: 0, failed: 0, lost: 0, times: 0, sumLnMs: 0 };

function count(report: Partial<CountedReport>): Counts {
  return countReport({
    area: 'GB/AS1',
    prefix: '198.51.100',
    lineIds: ['a', 'b', 'c'],
    results: [],
    entered: null,
    ...report,
  });
}

/** What the only voter of the only area saw of a line. */
function seenOf({ areas }: Counts, lineId: string): Observation | undefined {
  const [voters, ...otherAreas] = areas.values();
  const [seen, ...otherVoters] = voters?.values() ?? [];
  expect([otherAreas, otherVoters]).toEqual([[], []]);
  return seen?.get(lineId);
}

test('a valid answer counts with the logarithm of its time', () => {
  const counts = count({ results: [{ index: 1, outcome: 'valid', time: 200 }], entered: 1 });
  expect([...counts.areas.keys()]).toEqual(['GB/AS1']);
  expect(seenOf(counts, 'b')).toEqual({ ...NOTHING, reached: 1, times: 1, sumLnMs: 5.298 });
  expect(counts.lines.get('b')).toMatchObject({ tried: 1, reached: 1, entered: 1 });
  expect(counts.site).toMatchObject({ reports: 1, entered: 1 });
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
  expect(seenOf(counts, 'a')).toEqual({ ...NOTHING, failed: 3.3, lost: 3, openLnMs: 0 });
  // To the operator it is neither reached nor lost: the loser of a race would look as if it failed.
  expect(counts.lines.get('a')).toMatchObject({ tried: 3, reached: 0 });
});

test('a probe that was open for two seconds has failed if another line answered the page in a quarter of that', () => {
  const seeOpen = (openMs: number, validMs: number) => {
    const valid = { index: 1, outcome: 'valid', time: validMs } as const;
    return count({ results: [{ index: 0, outcome: 'open', time: openMs }, valid] });
  };
  expect(seenOf(seeOpen(2_000, 500), 'a')).toEqual({ ...NOTHING, failed: 1, lost: 1 });
  expect(seeOpen(2_000, 500).lines.get('a')).toMatchObject({ tried: 1, reached: 0 });
  for (const [openMs, validMs] of [
    [1_999, 100],
    // All is slow where this visitor is.
    [2_400, 700],
  ] as const)
    expect(seenOf(seeOpen(openMs, validMs), 'a')).toEqual({
      ...NOTHING,
      failed: 0.3,
      openLnMs: expect.closeTo(Math.log(openMs), 3),
    });
  const alone = count({ results: [{ index: 0, outcome: 'open', time: 4_000 }] });
  expect(seenOf(alone, 'a')).toEqual({
    ...NOTHING,
    failed: 0.3,
    openLnMs: expect.closeTo(Math.log(4_000), 3),
  });
});

test('an index that the ticket does not have counts for nobody', () => {
  const counts = count({ results: [{ index: 7, outcome: 'valid', time: 50 }], entered: 7 });
  expect([counts.areas.size, counts.lines.size]).toEqual([0, 0]);
  expect(counts.site).toMatchObject({ reports: 1, entered: 0 });
});

test('a visitor who reached no line is counted with the voter of the prefix', () => {
  const results = [{ index: 0, outcome: 'unreachable' as const, time: 9 }];
  const { site } = count({ results });
  expect(site.stranded).toBe(1);
  expect([...site.strandedByVoter.values()]).toEqual([1]);
  expect(count({ results, prefix: '198.51.101' }).site.strandedByVoter).not.toEqual(site.strandedByVoter);
  expect(count({ results, area: 'FR/AS2' }).site.strandedByVoter).toEqual(site.strandedByVoter);
  const entered = count({ results, entered: 0 }).site;
  expect([entered.stranded, entered.strandedByVoter.size]).toEqual([0, 0]);
});

test('a visitor who was moved counts for the line that they lost, which has failed', () => {
  const results = [
    { index: 2, outcome: 'unreachable', time: 99_999 } as const,
    { index: 0, outcome: 'valid', time: 80 } as const,
  ];
  const { lines, site } = count({ results, entered: 0, left: 2 });
  expect(lines.get('c')).toMatchObject({ moved: 1, tried: 1, reached: 0 });
  expect(lines.get('a')).toMatchObject({ moved: 0, entered: 1 });
  expect(site.stranded).toBe(0);
});

test('who got in is told by visitors who stayed for two seconds, and by open probes that were too late', () => {
  const results: CountedReport['results'] = [
    { index: 0, outcome: 'valid', time: 100 },
    { index: 1, outcome: 'open', time: 2_000 },
    { index: 2, outcome: 'unreachable', time: 99_999 },
  ];
  const short = count({ results, stayedMs: 1_999 });
  expect([...short.lines.values()].map(({ met }) => met)).toEqual([0, 0, 0]);
  const long = count({ results, stayedMs: 2_000 });
  const tallies = ['a', 'b', 'c'].map((id) => long.lines.get(id));
  expect(tallies.map((tally) => [tally?.met, tally?.gotIn])).toEqual([
    [1, 1],
    [1, 0],
    [1, 0],
  ]);
});

test('a visitor got in if any line answered, and not if none did for a second', () => {
  const valid = { index: 0, outcome: 'valid', time: 100 } as const;
  const open = { index: 1, outcome: 'open', time: 900 } as const;
  const failed = { index: 2, outcome: 'unreachable', time: 99_999 } as const;
  const seen = (results: CountedReport['results'], stayedMs: number) => {
    const { met, gotIn } = count({ results, stayedMs }).site;
    return [met, gotIn];
  };
  expect(seen([valid, open, failed], 100)).toEqual([1, 1]);
  expect(seen([failed], 100)).toEqual([1, 0]);
  expect(seen([open, failed], 999)).toEqual([0, 0]);
  expect(seen([open, failed], 1_000)).toEqual([1, 0]);
});
