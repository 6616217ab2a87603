import { type Incident, SEVERITIES } from '../../contract/incidents.ts';
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts';

export const LANE_SPANS = {
  '24h': { spanMs: DAY_MS, tickMs: 4 * HOUR_MS },
  '7d': { spanMs: 7 * DAY_MS, tickMs: DAY_MS },
} as const;

export type LaneSpan = keyof typeof LANE_SPANS;

/** What an incident looks like in its lane. */
export type LaneBar<T> = {
  readonly incident: T;
  /** Of the width of the lane, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** It began before the lane does. */
  readonly isCut: boolean;
};

/** All incidents about one thing. */
export type Lane<T> = { readonly key: string; readonly bars: readonly LaneBar<T>[] };

type Drawn = Pick<Incident, 'kind' | 'subject' | 'severity' | 'startedAt' | 'endedAt' | 'parts'>;

/** One lane for each thing that was wrong in a span up to now: those that last first, then the most severe. */
export function layOutLanes<T extends Drawn>(
  incidents: readonly T[],
  { now, span }: { readonly now: number; readonly span: LaneSpan },
): readonly Lane<T>[] {
  const { spanMs } = LANE_SPANS[span];
  const from = now - spanMs;
  const place = (at: number): number => Math.min(1, Math.max(0, (at - from) / spanMs));
  const lanes = new Map<string, LaneBar<T>[]>();
  for (const incident of incidents) {
    const { startedAt, endedAt } = incident;
    if ((endedAt ?? now) <= from) continue;
    const key = keyOf(incident);
    const bars = lanes.get(key) ?? [];
    bars.push({ incident, from: place(startedAt), to: place(endedAt ?? now), isCut: startedAt < from });
    lanes.set(key, bars);
  }
  return [...lanes]
    .map(([key, bars]) => ({ key, bars: bars.toSorted((a, b) => a.from - b.from) }))
    .toSorted((a, b) => rankOf(b) - rankOf(a));
}

/** Full hours or days of a zone, each with its place in a lane. */
export function listTicks({
  now,
  span,
  findOffsetMs,
}: {
  readonly now: number;
  readonly span: LaneSpan;
  /** How far the zone is ahead of UTC at a time: its clocks may change within a lane. */
  readonly findOffsetMs: (at: number) => number;
}): readonly { readonly at: number; readonly place: number }[] {
  const { spanMs, tickMs } = LANE_SPANS[span];
  const offsetMs = findOffsetMs(now);
  const last = Math.floor((now + offsetMs) / tickMs) * tickMs;
  return Array.from({ length: Math.ceil(spanMs / tickMs) }, (_, tick) => last - tick * tickMs)
    .map((onClock) => onClock - findOffsetMs(onClock - offsetMs))
    .filter((at) => at > now - spanMs)
    .map((at) => ({ at, place: (at - now + spanMs) / spanMs }))
    .toReversed();
}

/** Several lines that fail together are a thing of their own. */
function keyOf({ kind, subject, parts }: Drawn): string {
  if (parts !== undefined && parts.length > 1) return parts.map((part) => part.subject).join(' ');
  return subject === '' ? kind : subject;
}

function rankOf<T extends Drawn>({ bars }: Lane<T>): number {
  const lasts = bars.some(({ incident }) => incident.endedAt === null);
  const severity = Math.max(...bars.map(({ incident }) => SEVERITIES.indexOf(incident.severity)));
  return (lasts ? SEVERITIES.length : 0) + severity;
}
