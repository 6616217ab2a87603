import { DAY_MS, MINUTE_MS } from '../../contract/time-units.ts';
import type { AlertSettings } from '../../contract/site/alert-settings.ts';
import { isTheTime } from '../messages/choose-messages.ts';
import type { HistoryPeriod } from './list-histories.ts';

/** A report that is due: for one channel, once. */
export type DueReport = {
  readonly channel: string;
  /** The same for all reports of a channel of this length. */
  readonly mark: string;
  readonly period: HistoryPeriod;
};

/** Nobody is woken by a report, and nobody needs one that is older than two days. */
const HOURS = '08:00-20:00';
const LATEST_MS = 2 * DAY_MS;
/** The last minutes of the period are written by then. */
const EARLIEST_MS = 10 * MINUTE_MS;
const WEEK_DAYS = 7;
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY = 4;

/** Lists the reports of the week or month that is over, by day in the time zone of their channel. */
export function findDueReports(
  { reports = [], channels }: Pick<AlertSettings, 'reports' | 'channels'>,
  now: number,
): readonly DueReport[] {
  return reports.flatMap(({ every, to }) => {
    const period = every === 'week' ? findLastWeek(now) : findLastMonth(now);
    const sinceMs = now - period.until;
    if (sinceMs < EARLIEST_MS || sinceMs >= LATEST_MS) return [];
    return to.flatMap((name) => {
      const channel = channels.find((each) => each.name === name);
      if (channel === undefined || !isTheTime(`${HOURS} ${channel.timeZone ?? 'UTC'}`, now)) return [];
      return [{ channel: name, mark: `report/${every}/${name}`, period }];
    });
  });
}

/** From Monday to Sunday, in UTC. */
function findLastWeek(now: number): HistoryPeriod {
  const today = Math.floor(now / DAY_MS);
  const monday = today - ((today - FIRST_MONDAY) % WEEK_DAYS);
  return { firstDay: monday - WEEK_DAYS, lastDay: monday - 1, until: monday * DAY_MS };
}

function findLastMonth(now: number): HistoryPeriod {
  const today = new Date(now);
  const until = Date.UTC(today.getUTCFullYear(), today.getUTCMonth());
  const from = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1);
  return { firstDay: from / DAY_MS, lastDay: until / DAY_MS - 1, until };
}
