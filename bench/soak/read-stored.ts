import { Client } from 'pg';

/** How many pages that were opened, and how many segments of replays, the database holds. */
export async function readStored(
  url: string,
): Promise<{ readonly pages: number; readonly segments: number }> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pages: string; segments: string }>(
      `select (select coalesce(sum(times), 0) from visit_hours where cell = 'step/page_view') as pages,
        (select coalesce(sum(segments), 0) from recorded_sessions) as segments`,
    );
    return { pages: Number(rows[0]?.pages), segments: Number(rows[0]?.segments) };
  } finally {
    await client.end();
  }
}
