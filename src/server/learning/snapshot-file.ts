import { promisify } from 'node:util';
import { constants, crc32, gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import {
  type AnyTable,
  COLUMN_KINDS,
  type Column,
  type Columns,
  type Table,
  createTable,
} from './create-table.ts';

/** What a snapshot holds: texts and lists by name, and tables by name. */
export type SnapshotContent<Facts> = {
  readonly facts: Facts;
  readonly tables: ReadonlyMap<string, AnyTable>;
};

/** The bytes are not a snapshot of ours, or not a complete one. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code = 'snapshot';
}

const NEWLINE = 10;
const CHECKSUM_BYTES = 4;
/** Each column begins at a multiple of this, because numbers must lie at multiples of their size. */
const ALIGNMENT = 8;
/** More than the largest site with 1,000 lines can need. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Numbers that one step verifies. At a start V8 has compiled nothing yet, and the days of 200 lines in one step would take 40 ms. */
const NUMBERS_AT_ONCE = 20_000;
/** The largest number that is allowed. No time, in ms since 1970, and no count or sum comes near it. */
export const LARGEST_NUMBER = 8.64e15;

const columnsSchema = v.record(v.string(), v.picklist(['f64', 'f32', 'u32', 'u8']));
const headerSchema = v.object({
  facts: v.unknown(),
  tables: v.record(
    v.string(),
    v.object({ rows: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), columns: columnsSchema }),
  ),
});

/** Packs what `writeSnapshotFile` wrote: most minutes of most lines are empty, and a site of 1,000 lines has 44 MB of them. */
export function packSnapshot(encoded: Buffer): Promise<Buffer> {
  return promisify(gzip)(encoded, { level: constants.Z_BEST_SPEED });
}

/** Reads what `packSnapshot` wrote. */
export function unpackSnapshot(bytes: Buffer): Promise<Buffer> {
  return promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES });
}

/** The checksum at the end of what `writeSnapshotFile` wrote: portals that know the same have the same. */
export function readChecksum(encoded: Buffer): number {
  return encoded.readUInt32BE(encoded.length - CHECKSUM_BYTES);
}

/**
 * Writes a line of JSON with the facts, and with the names and columns of the tables; then the columns; then a checksum of all of
 * it.
 */
export function* writeSnapshotFile({ facts, tables }: SnapshotContent<unknown>): Generator<void, Buffer> {
  const header = encodeHeader({
    facts,
    tables: Object.fromEntries(
      [...tables].map(([name, table]) => [name, { rows: table.rowCount(), columns: table.kinds }]),
    ),
  });
  const columns = [...tables.values()].flatMap((table) =>
    Object.keys(table.kinds).map((name) => table.column(name)),
  );
  const length = columns.reduce((sum, { byteLength }) => sum + align(byteLength), header.length);
  const bytes = Buffer.from(new ArrayBuffer(length + CHECKSUM_BYTES));
  bytes.set(header);
  let checksum = crc32(header);
  let start = header.length;
  for (const column of columns) {
    const end = start + align(column.byteLength);
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start);
    checksum = crc32(bytes.subarray(start, end), checksum);
    start = end;
    yield;
  }
  bytes.writeUInt32BE(checksum, length);
  return bytes;
}

/**
 * Reads what `writeSnapshotFile` wrote. Throws where a byte is missing or changed, and where a number is not one that can be counted
 * or measured: another version of this program may have written it.
 */
export function* readSnapshotFile<Facts>(
  whole: Buffer,
  factsSchema: v.GenericSchema<unknown, Facts>,
): Generator<void, SnapshotContent<Facts>> {
  yield* verifyChecksum(whole);
  const bytes = whole.subarray(0, -CHECKSUM_BYTES);
  const headerEnd = bytes.indexOf(NEWLINE) + 1;
  const header = parseHeader(bytes.subarray(0, headerEnd), factsSchema);
  const tables = new Map<string, AnyTable>();
  let start = headerEnd;
  for (const [name, { rows, columns: kinds }] of Object.entries(header.tables)) {
    const columns = new Map<string, Column>();
    for (const [columnName, kind] of Object.entries(kinds)) {
      const byteLength = rows * COLUMN_KINDS[kind].BYTES_PER_ELEMENT;
      if (start + align(byteLength) > bytes.length)
        throw new SnapshotError(`ends before its table "${name}"`);
      // Copied, because the bytes may begin anywhere, and numbers must lie at multiples of their size.
      const { buffer } = new Uint8Array(bytes.subarray(start, start + byteLength));
      const column = new COLUMN_KINDS[kind](buffer);
      yield* verifyNumbers(column, `${name}.${columnName}`);
      columns.set(columnName, column);
      start += align(byteLength);
      yield;
    }
    tables.set(name, createTable(kinds, columns));
  }
  if (start !== bytes.length) throw new SnapshotError(`has ${bytes.length} bytes instead of ${start}`);
  return { facts: header.facts, tables };
}

/** The table of this name, if it has these columns. */
export function expectTable<C extends Columns>(
  tables: ReadonlyMap<string, AnyTable>,
  name: string,
  kinds: C,
): Table<C> {
  const table = tables.get(name);
  if (table === undefined || JSON.stringify(table.kinds) !== JSON.stringify(kinds))
    throw new SnapshotError(`has no table "${name}" of our columns`);
  return createTable(kinds, new Map(Object.keys(kinds).map((column) => [column, table.column(column)])));
}

function* verifyChecksum(whole: Buffer): Generator<void, void> {
  const end = whole.length - CHECKSUM_BYTES;
  let checksum = 0;
  for (let start = 0; start < end; start += 1_000_000) {
    checksum = crc32(whole.subarray(start, Math.min(end, start + 1_000_000)), checksum);
    yield;
  }
  if (end < 0 || checksum !== whole.readUInt32BE(end))
    throw new SnapshotError('is not what was written: its checksum is wrong');
}

function* verifyNumbers(column: Column, name: string): Generator<void, void> {
  for (let start = 0; start < column.length; start += NUMBERS_AT_ONCE) {
    for (const number of column.subarray(start, start + NUMBERS_AT_ONCE)) {
      if (!(number >= 0 && number <= LARGEST_NUMBER))
        throw new SnapshotError(`holds a number in ${name} that is not between 0 and ${LARGEST_NUMBER}`);
    }
    yield;
  }
}

/** JSON, and spaces that put the columns behind it at a multiple of their size. */
function encodeHeader(header: v.InferInput<typeof headerSchema>): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  return Buffer.concat([json, Buffer.from(`${' '.repeat(align(json.length + 1) - json.length - 1)}\n`)]);
}

function parseHeader<Facts>(line: Buffer, factsSchema: v.GenericSchema<unknown, Facts>) {
  try {
    const { facts, tables } = v.parse(headerSchema, JSON.parse(line.toString()));
    return { facts: v.parse(factsSchema, facts), tables };
  } catch (error) {
    throw new SnapshotError('does not start with the header of a snapshot', { cause: error });
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
