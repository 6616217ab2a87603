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

/** Cuts a list into parts, each for one statement. */
export function inBatches<T>(items: readonly T[], valuesOfEach = 1): readonly (readonly T[])[] {
  const size = Math.floor(MAX_VALUES / valuesOfEach);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** `$1, $2, …`, a place for each value. */
export function listPlaces(values: readonly unknown[], first = 1): string {
  return values.map((_, index) => `$${first + index}`).join(', ');
}
