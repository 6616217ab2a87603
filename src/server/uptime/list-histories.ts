import { type LineHistory, NO_UPTIME, type PastIncident, WHOLE_SITE } from '../../contract/uptime.ts';
import { nameWithoutScheme } from '../../contract/site/parse-host.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import { listWatchedLines } from '../lines/line-state.ts';
import type { LineTable } from '../site/create-line-table.ts';
import type { UptimeStore } from './create-uptime-store.ts';
import { sumIncidents } from './sum-incidents.ts';

export type HistoryPeriod = {
  /** Both are included, and numbered since 1970, in UTC. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** When it ends, in ms. A day may not be over yet. */
  readonly until: number;
};

/** What is known of the site, of each line, and of those that it had, and all incidents, in some days. */
export async function listHistories(
  { firstDay, lastDay, until }: HistoryPeriod,
  {
    store,
    lines,
  }: { readonly store: Pick<UptimeStore, 'readSums' | 'readIncidents'>; readonly lines: LineTable },
): Promise<{ readonly all: readonly LineHistory[]; readonly incidents: readonly PastIncident[] }> {
  const from = firstDay * DAY_MS;
  const [sums, found] = await Promise.all([
    store.readSums({ by: 'day', first: firstDay, last: lastDay }),
    store.readIncidents(from),
  ]);
  const incidents = found.filter(({ startedAt }) => startedAt < until);
  const watched = listWatchedLines(lines);
  const named = new Set([WHOLE_SITE, ...watched.map(({ line }) => line.host)]);
  const gone = [...sums.keys()].filter((host) => !named.has(host)).toSorted();
  const describe = (host: string, id: string | null, role: LineHistory['role']): LineHistory => ({
    line: host,
    id,
    role,
    sums: sums.get(host) ?? NO_UPTIME,
    incidents: sumIncidents(listAbout(incidents, host), { from, until }),
  });
  return {
    all: [
      describe(WHOLE_SITE, null, 'site'),
      ...watched.map(({ line: { host, id }, role }) => describe(host, id, role)),
      ...gone.map((host) => describe(host, null, 'gone')),
    ],
    incidents,
  };
}

/** Lists the incidents about a line, which they name without its scheme. All incidents are about the site. */
export function listAbout(incidents: readonly PastIncident[], host: string): readonly PastIncident[] {
  if (host === WHOLE_SITE) return incidents;
  const name = nameWithoutScheme(host);
  return incidents.filter(({ lines }) => lines.includes(name));
}
