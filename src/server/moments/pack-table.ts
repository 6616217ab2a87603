import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Steps } from '../process/create-step-watch.ts';

/** Facts, and columns of numbers beside them: whole ones from 0, or null. */
export type PackedTable<Head> = {
  readonly head: Head;
  readonly columns: Readonly<Record<string, Column>>;
};

export type Column = readonly (number | null)[];

type Outline<Head> = {
  readonly head: Head;
  /** How many numbers each column has, and how many bytes each of them takes. */
  readonly columns: readonly { readonly name: string; readonly count: number; readonly width: number }[];
};

const LENGTH_BYTES = 4;
const BYTE = 256;
/** More than a site with 1,000 lines and 50 networks can need. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A higher one takes four times as long, and saves 2 % (the cells of `npm run bench -- console`). */
const QUALITY = 6;

/**
 * Puts a table into bytes, compressed on another thread. First come the lowest bytes of all numbers of a column, then the next ones: the high bytes
 * are nearly all the same, so 10,000 cells of the map take 30 KB, and 44 KB as JSON.
 */
export async function packTable<Head>(
  { head, columns }: PackedTable<Head>,
  runSteps: <T>(steps: Steps<T>) => Promise<T>,
): Promise<Uint8Array> {
  return promisify(brotliCompress)(await runSteps(writeTable(head, columns)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
}

/** Reads what `packTable` wrote. Throws if it cannot be read. */
export async function unpackTable<Head>(
  packed: Uint8Array,
  runSteps: <T>(steps: Steps<T>) => Promise<T>,
): Promise<PackedTable<Head>> {
  return runSteps(readTable<Head>(await promisify(brotliDecompress)(packed, { maxOutputLength: MAX_BYTES })));
}

function* writeTable(head: unknown, columns: PackedTable<unknown>['columns']): Steps<Buffer> {
  const entries = Object.entries(columns).map(([name, values]) => ({
    name,
    values,
    width: findWidth(values),
  }));
  yield;
  const outline: Outline<unknown> = {
    head,
    columns: entries.map(({ name, values, width }) => ({ name, count: values.length, width })),
  };
  const json = Buffer.from(JSON.stringify(outline));
  yield;
  const length = entries.reduce((sum, { values, width }) => sum + values.length * width, 0);
  const bytes = Buffer.alloc(LENGTH_BYTES + json.length + length);
  bytes.writeUInt32BE(json.length);
  json.copy(bytes, LENGTH_BYTES);
  let start = LENGTH_BYTES + json.length;
  for (const { values, width } of entries) {
    for (const [index, value] of values.entries()) {
      // 0 stands for null.
      let rest = value === null ? 0 : value + 1;
      for (let place = 0; place < width; place += 1) {
        bytes[start + place * values.length + index] = rest % BYTE;
        rest = Math.floor(rest / BYTE);
      }
    }
    start += values.length * width;
    yield;
  }
  return bytes;
}

function* readTable<Head>(bytes: Buffer): Steps<PackedTable<Head>> {
  const headEnd = LENGTH_BYTES + bytes.readUInt32BE(0);
  // As `writeTable` wrote it.
  const outline = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, headEnd)) as Outline<Head>;
  yield;
  const columns = new Map<string, Column>();
  let start = headEnd;
  for (const { name, count, width } of outline.columns) {
    if (start + count * width > bytes.length) throw new Error(`the column "${name}" is not whole`);
    columns.set(name, readColumn(bytes.subarray(start, start + count * width), count, width));
    start += count * width;
    yield;
  }
  return { head: outline.head, columns: Object.fromEntries(columns) };
}

function readColumn(bytes: Uint8Array, count: number, width: number): Column {
  return Array.from({ length: count }, (_, index) => {
    let value = 0;
    for (let place = width - 1; place >= 0; place -= 1)
      value = value * BYTE + (bytes[place * count + index] ?? 0);
    return value === 0 ? null : value - 1;
  });
}

function findWidth(values: Column): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value === null ? 0 : value + 1);
  let width = 0;
  for (let rest = most; rest > 0; rest = Math.floor(rest / BYTE)) width += 1;
  return width;
}
