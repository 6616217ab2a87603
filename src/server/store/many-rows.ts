import type { Change, Value } from './database.ts';

export type NewRows = {
  readonly table: string;
  /** All but the brand, which is that of the portal. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** What to do with a row that is there already, such as `on conflict (brand, id) do nothing`. */
  readonly onConflict: string;
};

/** A far database costs a round trip for each statement, and each may have this number of values. */
const MAX_VALUES = 1_000;
/** Few lengths make few statements, see `inBatches`. */
const ROUND_ITEMS = 16;

/** Inserts rows, many with one statement. */
export async function insertRows(
  change: Change,
  { table, columns, rows, onConflict }: NewRows,
): Promise<void> {
  for (const batch of inBatches(rows, columns.length)) {
    const groups = batch.map((row, index) => `($brand, ${listPlaces(row, index * columns.length + 1)})`);
    await change(
      `insert into ${table} (brand, ${columns.join(', ')}) values ${groups.join(', ')} ${onConflict}`,
      batch.flat(),
    );
  }
}

/** The rows that have one of these values in a column. */
export type OldRows = {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
  /** Spares some of them, such as `and changed < 5`. */
  readonly condition?: string;
};

/** Deletes rows, many with one statement. */
export async function deleteRows(
  change: Change,
  { table, column, values, condition = '' }: OldRows,
): Promise<void> {
  for (const batch of inBatches(values))
    await change(
      `delete from ${table} where brand = $brand and ${column} in (${listPlaces(batch)}) ${condition}`,
      batch,
    );
}

/**
 * Cuts a list into parts, each for one statement. Each length is another statement, and SQLite keeps all of them in memory: so a part is
 * full, or a multiple of 16 long, or the rest.
 */
export function inBatches<T>(items: readonly T[], valuesOfEach = 1): readonly (readonly T[])[] {
  const most = Math.floor(MAX_VALUES / valuesOfEach);
  const batches: (readonly T[])[] = [];
  for (let start = 0; start < items.length;) {
    const left = items.length - start;
    const size = left >= most ? most : left - (left > ROUND_ITEMS ? left % ROUND_ITEMS : 0);
    batches.push(items.slice(start, start + size));
    start += size;
  }
  return batches;
}

export type PartLimits = { readonly maxBytes: number; readonly maxItems?: number };

/** Cuts a list into parts that one call can carry. An item that is larger than that is a part of its own. */
export function inParts<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  { maxBytes, maxItems = Infinity }: PartLimits,
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    bytes += sizeOf(item);
    if (bytes > maxBytes || parts.at(-1)?.length === maxItems) {
      parts.push([]);
      bytes = sizeOf(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** `$1, $2, …`, a place for each value. */
export function listPlaces(values: readonly unknown[], first = 1): string {
  return values.map((_, index) => `$${first + index}`).join(', ');
}
