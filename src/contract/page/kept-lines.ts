import { MAX_ROWS, OFFLINE_MAX_DAYS } from '../limits.ts';
import { DAY_MS } from '../time-units.ts';

/** The lines that a visitor was last given, as a browser keeps them, under the URL of the call that answered them. */
export type KeptLines = {
  /** When they were given, in ms since 1970. */
  readonly at: number;
  /** Four at most. The page checks each, as it checks those that a portal answers. */
  readonly hosts: readonly unknown[];
};

/** `/?fresh`: a navigation that the service worker leaves alone. */
export const FRESH_PARAMETER = 'fresh';

/** Reads the lines back, and until when they count. Undefined if their time is over, or if they are not ours. */
export function readKeptLines(
  json: string,
  days: number,
  now: number,
): (KeptLines & { readonly until: number }) | undefined {
  const { at, hosts } = Object(JSON.parse(json)) as Partial<Record<keyof KeptLines, unknown>>;
  if (typeof at !== 'number' || !Array.isArray(hosts)) return undefined;
  const until = at + Math.min(days, OFFLINE_MAX_DAYS) * DAY_MS;
  // Lines of the future were written while the clock was wrong, so nobody knows how old they are.
  if (!(at <= now && now < until)) return undefined;
  return { at, until, hosts: hosts.slice(0, MAX_ROWS) };
}
