import { Client } from 'pg';
import { readReports } from '../../e2e/support/read-reports.ts';

export type ReportWatch = {
  /** Reads what the database holds. Call it at least every ten minutes, because windows are kept no longer. */
  readonly look: () => Promise<void>;
  /** All reports that were ever seen there. */
  readonly reports: () => number;
  readonly close: () => Promise<void>;
};

/** Adds up the reports that arrive in the database, which forgets them soon. */
export async function watchReports(url: string): Promise<ReportWatch> {
  const client = new Client(url);
  await client.connect();
  const seen = new Map<string, number>();
  return {
    look: async () => {
      for (const [id, count] of await readReports(client)) seen.set(id, count);
    },
    reports: () => [...seen.values()].reduce((total, count) => total + count, 0),
    close: () => client.end(),
  };
}
