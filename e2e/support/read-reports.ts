import type { Client } from 'pg';

/** Reads the number of reports in each part of a window that the database keeps, by the id of the part. */
export async function readReports(client: Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ id: string; reports: number }>(
    "select id, (counts::json -> 'site' ->> 'reports')::integer as reports from window_parts",
  );
  return new Map(rows.map(({ id, reports }) => [id, reports]));
}
