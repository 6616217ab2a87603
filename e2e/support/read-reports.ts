import { REPORTS_FIELD, TOTALS } from '../../src/server/learning/store/redis-counts.ts';

/** What is asked of a client of Redis, whatever its own settings. */
type RedisReader = {
  readonly keys: (pattern: string) => Promise<readonly string[]>;
  readonly hGet: (key: string, field: string) => Promise<string | null>;
};

/** How many reports Redis holds of each window that it keeps, by the window's number. */
export async function readReports(client: RedisReader): Promise<ReadonlyMap<number, number>> {
  const reports = new Map<number, number>();
  for (const key of await client.keys('waypost:*:window:*')) {
    const window = new RegExp(`:window:(\\d+):\\${TOTALS}$`).exec(key)?.[1];
    if (window === undefined) continue;
    const count = await client.hGet(key, REPORTS_FIELD);
    // A window may have no reports: only hand-outs were counted, or Redis has forgotten it meanwhile.
    if (count !== null) reports.set(Number(window), Number(count));
  }
  return reports;
}
