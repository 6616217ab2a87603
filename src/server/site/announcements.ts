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
