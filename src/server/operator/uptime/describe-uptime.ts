import { DAY_HOURS, DAY_MS, HOUR_MS } from '../../../contract/time-units.ts';
import {
  type ConsoleUptime,
  type LineHistory,
  type LineUptime,
  MAX_LISTED_INCIDENTS,
  type UptimeDays,
  percentOfVisitors,
} from '../../../contract/uptime.ts';
import { findOrAdd } from '../../process/find-or-add.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import { listAbout, listHistories } from '../../uptime/list-histories.ts';
import type { StretchSums } from '../../uptime/create-uptime-store.ts';
import type { OpenedUptime } from '../../uptime/open-uptime.ts';

/** A phone has room for this many cells in a strip. */
const MAX_STRIP_CELLS = 31;

export type UptimeSources = {
  readonly uptime: Pick<OpenedUptime, 'store'>;
  readonly site: () => Pick<PublishedSite, 'lines'>;
  readonly now: () => number;
};

/** How often visitors got in, and what was wrong, in the last days: of all lines, and one line or the site in detail. */
export async function describeUptime(
  { days, line }: { readonly days: UptimeDays; readonly line: string },
  { uptime, site, now }: UptimeSources,
): Promise<ConsoleUptime> {
  const at = now();
  const period = findPeriod(days, at);
  const { store } = uptime;
  const stripDays = Math.ceil(days / MAX_STRIP_CELLS);
  const { firstDay: first, lastDay: last } = period;
  const [{ all, incidents }, stretches, points] = await Promise.all([
    listHistories({ ...period, until: at }, { store, lines: site().lines }),
    store.readStretches({ first, last, days: stripDays }),
    store.readPoints(questionOf(period), line),
  ]);
  return {
    at,
    days,
    from: period.from,
    all: addStrips(all, stretches, Math.ceil(days / stripDays)),
    stripDays,
    line,
    by: period.by,
    points,
    incidents: listAbout(incidents, line).slice(0, MAX_LISTED_INCIDENTS),
  };
}

function addStrips(
  all: readonly LineHistory[],
  stretches: readonly StretchSums[],
  cells: number,
): readonly LineUptime[] {
  const strips = new Map<string, (number | null)[]>();
  for (const { line, stretch, ...sums } of stretches) {
    const strip = findOrAdd(strips, line, () => emptyStrip(cells));
    strip[stretch] = percentOfVisitors(sums) ?? null;
  }
  return all.map((each) => ({ ...each, strip: strips.get(each.line) ?? emptyStrip(cells) }));
}

function emptyStrip(cells: number): (number | null)[] {
  return Array.from({ length: cells }, () => null);
}

/** The last days in UTC, today included. Seven days are shown hour by hour. */
export function findPeriod(days: UptimeDays, at: number) {
  const lastDay = Math.floor(at / DAY_MS);
  const firstDay = lastDay - days + 1;
  const by = days === 7 ? ('hour' as const) : ('day' as const);
  return { firstDay, lastDay, by, from: firstDay * DAY_MS, lastHour: Math.floor(at / HOUR_MS) };
}

export function questionOf({ firstDay, lastDay, lastHour, by }: ReturnType<typeof findPeriod>) {
  return by === 'hour'
    ? { by, first: firstDay * DAY_HOURS, last: lastHour }
    : { by, first: firstDay, last: lastDay };
}
