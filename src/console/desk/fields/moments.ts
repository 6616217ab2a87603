import { MINUTE_MS } from '../../../contract/time-units.ts';
import { findOffsetMs } from '../../locale/create-format.ts';

/** The value of an `<input type="datetime-local">`, in a time zone, for a moment such as `2026-12-01T08:00+08:00`. */
export function writeLocalMoment(moment: string, timeZone: string): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  return new Date(time + findOffsetMs(timeZone, time)).toISOString().slice(0, 16);
}

/** The moment of such a value, with the zone's distance to UTC. Undefined if the text is no local time. */
export function readLocalMoment(local: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local) || Number.isNaN(asUtc)) return undefined;
  // The distance to UTC depends on the moment, which is not known yet. A first guess may be on the wrong side of a clock
  // change, the second is not.
  const rough = asUtc - findOffsetMs(timeZone, asUtc);
  const offsetMs = findOffsetMs(timeZone, rough);
  return `${local.slice(0, 16)}${writeOffset(findOffsetMs(timeZone, asUtc - offsetMs))}`;
}

/** The period between two such values, either of which may be empty. Undefined if one of them is no local time. */
export function readPeriod(
  { from, until }: { readonly from: string; readonly until: string },
  timeZone: string,
): { readonly from?: string; readonly until?: string } | undefined {
  const [first, last] = [from, until].map((local) => (local === '' ? '' : readLocalMoment(local, timeZone)));
  if (first === undefined || last === undefined) return undefined;
  return { ...(first && { from: first }), ...(last && { until: last }) };
}

function writeOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`;
}
