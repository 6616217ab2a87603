import { DAY_MS } from '../../contract/time-units.ts';
import type { Transaction } from './database.ts';

/** If it is unknown whether a batch was written, it is tried again for at most this long. */
const KEPT_MS = 30 * DAY_MS;

/**
 * Notes that a process writes a batch in this transaction. Returns false if it was written before: the answer to that try was lost.
 * A writer numbers its batches from 1, and writes one after the other.
 */
export async function noteBatch(
  { change }: Pick<Transaction, 'change'>,
  writer: string,
  number: number,
): Promise<boolean> {
  // Each process that starts removes the rows of those that have ended.
  if (number === 1) await change('delete from batches where brand = $brand and at < $now - $1', [KEPT_MS]);
  const changed = await change(
    `insert into batches (brand, writer, number, at) values ($brand, $1, $2, $now)
     on conflict (brand, writer) do update set number = excluded.number, at = excluded.at
     where batches.number < excluded.number`,
    [writer, number],
  );
  return changed > 0;
}
