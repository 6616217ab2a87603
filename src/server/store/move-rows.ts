import { createHash } from 'node:crypto';
import { findOrAdd } from '../process/find-or-add.ts';
import {
  type Change,
  type Database,
  type Row,
  StoreFaultError,
  type Transaction,
  type Value,
} from './database.ts';
import { inParts, insertRows } from './many-rows.ts';

export type MovedTable = { readonly table: string; readonly rows: number };

type Source = Pick<Database, 'read'>;

export type MoveOptions = {
  /** SQLite databases that nobody writes to meanwhile. */
  readonly from: readonly Source[];
  /** A PostgreSQL database with the same tables. */
  readonly to: Pick<Database, 'read' | 'change' | 'transaction'>;
  /** Told of each table that was copied. */
  readonly onMoved?: (moved: MovedTable) => void;
};

type Table = { readonly source: Source; readonly name: string; readonly columns: readonly string[] };

/** What portals tell each other while they run. It is not moved. */
const NOT_MOVED: ReadonlySet<string> = new Set(['topics', 'terms', 'batches', 'portals']);
const PAGE_ROWS = 200;
/** A page of large files would take too long for one call. */
const PAGE_BYTES = 4_000_000;

/**
 * Copies all rows of a brand, table by table, and compares what the other database has then. Rejects if there are rows of the brand on the other side
 * already. If it fails, it removes what it has copied, so that it can be tried again.
 */
export async function moveRows({ from, to, onMoved }: MoveOptions): Promise<readonly MovedTable[]> {
  const tables = (await Promise.all(from.map(listTables))).flat();
  for (const { name } of tables) await refuseRows(to, name);
  try {
    const moved: MovedTable[] = [];
    for (const table of tables) {
      const rows = await copyTable(to, table);
      moved.push({ table: table.name, rows });
      onMoved?.({ table: table.name, rows });
    }
    if (moved.every(({ rows }) => rows === 0)) {
      throw new StoreFaultError(
        'nothing was moved: the data folder has nothing of this brand. Set WAYPOST_BRAND to the name under which its portal ran, or to nothing',
      );
    }
    return moved;
  } catch (error) {
    // What cannot be removed now is named by the next try.
    for (const { name } of tables)
      await to.change(`delete from ${name} where brand = $brand`).catch(() => undefined);
    throw error;
  }
}

async function listTables(source: Source): Promise<readonly Table[]> {
  const rows = await source.read<{ table_name: string; column_name: string }>(
    `select tables.name as table_name, columns.name as column_name
     from sqlite_master as tables, pragma_table_info(tables.name) as columns
     where tables.type = 'table' order by tables.name, columns.cid`,
  );
  const columns = new Map<string, string[]>();
  for (const { table_name, column_name } of rows) findOrAdd(columns, table_name, () => []).push(column_name);
  return [...columns]
    .filter(([name, names]) => names.includes('brand') && !NOT_MOVED.has(name))
    .map(([name, names]) => ({ source, name, columns: names.filter((column) => column !== 'brand') }));
}

async function refuseRows(to: MoveOptions['to'], table: string): Promise<void> {
  const [found] = await to.read(`select 1 as found from ${table} where brand = $brand limit 1`);
  if (found === undefined) return;
  throw new StoreFaultError(
    `nothing was moved: the table "${table}" of the other database has rows of this brand already. Name an empty database, or another brand with WAYPOST_BRAND`,
  );
}

async function copyTable(to: MoveOptions['to'], table: Table): Promise<number> {
  let copied = 0;
  for await (const rows of readPages(table)) {
    await to.transaction((tx) => insert(tx, table, rows));
    copied += rows.length;
  }
  const [found] = await to.read<{ count: number }>(
    `select count(*) as count from ${table.name} where brand = $brand`,
  );
  if (found?.count !== copied) refuseDifference(table);
  return copied;
}

/** The rows of a table of SQLite, some at a time. */
async function* readPages({ source, name, columns }: Table): AsyncGenerator<readonly Row[]> {
  let last = 0;
  // Files may have megabytes, so the first page is small.
  let limit = 1;
  for (;;) {
    const rows = await source.read<Row & { readonly row_number: number }>(
      `select rowid as row_number, ${columns.join(', ')} from ${name}
       where brand = $brand and rowid > $1 order by rowid limit $2`,
      [last, limit],
    );
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.row_number;
    const largest = Math.max(...rows.map((row) => sizeOf(row, columns)));
    limit = Math.max(1, Math.min(PAGE_ROWS, limit * 2, Math.floor(PAGE_BYTES / largest)));
  }
}

/** Writes rows, and compares them with what the database says that it has written. */
async function insert({ query }: Transaction, table: Table, rows: readonly Row[]): Promise<void> {
  const { name, columns } = table;
  for (const part of inParts(rows, (row) => sizeOf(row, columns), { maxBytes: PAGE_BYTES })) {
    const written: Row[] = [];
    const change: Change = async (sql, values) => written.push(...(await query<Row>(sql, values)));
    await insertRows(change, {
      table: name,
      columns,
      rows: part.map((row) => columns.map((column) => row[column] ?? null)),
      onConflict: `returning ${columns.join(', ')}`,
    });
    if (!hashRows(part, columns).equals(hashRows(written, columns))) refuseDifference(table);
  }
}

function refuseDifference({ name }: Table): never {
  throw new StoreFaultError(
    `the table "${name}" differs in the other database. Empty that database, and try again while nobody else writes to either of them`,
  );
}

/** A hash of the rows. Their order makes no difference. */
function hashRows(rows: readonly Row[], columns: readonly string[]): Buffer {
  const sum = Buffer.alloc(32);
  for (const row of rows) {
    const hash = createHash('sha256');
    for (const column of columns) hash.update(describeValue(row[column] ?? null)).update('\0');
    for (const [index, byte] of hash.digest().entries()) sum[index] = (sum[index] ?? 0) ^ byte;
  }
  return sum;
}

/** Tells a number from the text of its digits, and nothing from an empty text. */
function describeValue(value: Value): string | Uint8Array {
  if (value instanceof Uint8Array) return value;
  return value === null ? 'null' : `${typeof value} ${value}`;
}

function sizeOf(row: Row, columns: readonly string[]): number {
  return columns.reduce((sum, column) => {
    const value = row[column];
    return sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8);
  }, 0);
}
