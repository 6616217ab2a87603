import { createClient } from 'redis';
import { readReports } from '../../e2e/support/read-reports.ts';

export type RedisWatch = {
  /** Looks at every window that Redis keeps, for three minutes each. To be repeated more often than that. */
  readonly look: () => Promise<void>;
  /** All reports that were ever seen there. */
  readonly reports: () => number;
  readonly close: () => void;
};

/** Adds up the reports that arrive in Redis, which forgets them soon. */
export async function watchRedis(url: string): Promise<RedisWatch> {
  const client = await createClient({ url }).connect();
  const seen = new Map<number, number>();
  return {
    look: async () => {
      for (const [window, count] of await readReports(client)) seen.set(window, count);
    },
    reports: () => [...seen.values()].reduce((total, count) => total + count, 0),
    close: () => client.destroy(),
  };
}
