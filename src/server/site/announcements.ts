import type { Announcement } from '../../contract/page/page-data.ts';
import type { TimedAnnouncement } from './localize-site.ts';
import { isDuring } from './time-windows.ts';

/** Finds what to announce at a moment: the first of these whose time it is. */
export function findAnnouncement(
  announcements: readonly TimedAnnouncement[],
  at: number,
): Announcement | undefined {
  const current = announcements.find((announcement) => isDuring(announcement, at));
  return current && { text: current.text, ...(current.url === undefined ? {} : { url: current.url }) };
}

/** Finds the next moment after this one at which an announcement begins or ends. There may be none: `Infinity`. */
export function findNextChange(announcements: readonly TimedAnnouncement[], after: number): number {
  const moments = announcements
    .flatMap(({ from, until }) => [from ?? '', until ?? ''])
    .map((moment) => Date.parse(moment));
  return Math.min(...moments.filter((moment) => moment > after), Infinity);
}
