import type { IncidentTotals, PastIncident } from '../../contract/uptime.ts';

/** Adds up the incidents of a period. What lasts longer than the period counts inside of it. */
export function sumIncidents(
  incidents: readonly PastIncident[],
  { from, until }: { readonly from: number; readonly until: number },
): IncidentTotals {
  const inside = incidents
    .map(({ startedAt, endedAt }) => ({
      start: Math.max(from, startedAt),
      end: Math.min(until, endedAt ?? until),
    }))
    .filter(({ start, end }) => end >= start)
    .toSorted((one, other) => one.start - other.start);
  let totalMs = 0;
  let countedUntil = from;
  for (const { start, end } of inside) {
    // Two that last at the same time are one time in which something was wrong.
    totalMs += Math.max(0, end - Math.max(start, countedUntil));
    countedUntil = Math.max(countedUntil, end);
  }
  const taken = incidents.flatMap(({ noticedAt, takenAt }) =>
    takenAt === null ? [] : [Math.max(0, takenAt - noticedAt)],
  );
  return {
    count: inside.length,
    totalMs,
    longestMs: inside.length === 0 ? null : Math.max(...inside.map(({ start, end }) => end - start)),
    taken: taken.length,
    takenAfterMs: findMedian(taken),
  };
}

function findMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return below === undefined || above === undefined ? null : (below + above) / 2;
}
