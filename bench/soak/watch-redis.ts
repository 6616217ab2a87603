import { createClient } from 'redis';
import { readReports } from '../../e2e/support/read-reports.ts';

export type RedisWatch = {
  /** Reads every window in Redis. Call it at least every three minutes, because Redis keeps a window no longer. */
  readonly readWindows: () => Promise<void>;
  /** All reports that were ever seen there. */
  readonly reports: () => number;
  readonly close: () => void;
};

/** Adds up the reports that arrive in Redis, which forgets them soon. */
export async function watchRedis(url: string): Promise<RedisWatch> {
  const client = await createClient({ url }).connect();
  const seen = new Map<number, number>();
  return {
    readWindows: async () => {
      for (const [window, count] of await readReports(client)) seen.set(window, count);
    },
    reports: () => [...seen.values()].reduce((total, count) => total + count, 0),
    close: () => client.destroy(),
  };
}
