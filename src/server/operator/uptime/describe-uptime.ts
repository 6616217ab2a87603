import { DAY_HOURS, DAY_MS, HOUR_MS } from '../../../contract/time-units.ts';
import { type ConsoleUptime, MAX_LISTED_INCIDENTS, type UptimeDays } from '../../../contract/uptime.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import { listAbout, listHistories } from '../../uptime/list-histories.ts';
import type { OpenedUptime } from '../../uptime/open-uptime.ts';

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
  const [{ all, incidents }, points] = await Promise.all([
    listHistories({ ...period, until: at }, { store, lines: site().lines }),
    store.readPoints(questionOf(period), line),
  ]);
  return {
    at,
    days,
    from: period.from,
    all,
    line,
    by: period.by,
    points,
    incidents: listAbout(incidents, line).slice(0, MAX_LISTED_INCIDENTS),
  };
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
