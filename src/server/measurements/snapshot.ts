import * as v from 'valibot';
import { CELLS_PER_LINE, type EvidenceRow } from '../steering/evidence-row.ts';
import type { Evidence } from '../steering/evidence.ts';
import { RING_LENGTH } from './history.ts';

/** Everything that is worth keeping over a restart. */
export type Snapshot = {
  /** The last window that is in it. */
  readonly windowNumber: number;
  /** How many windows are in it. */
  readonly folds: number;
  readonly evidence: Evidence;
  readonly history: ReadonlyMap<string, Uint32Array>;
};

/** Bytes that are no snapshot of ours, or not all of one. */
class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code = 'snapshot';
}

const VERSION = 2;
const NEWLINE = 10;
const texts = v.array(v.string());
const headerSchema = v.object({
  version: v.literal(VERSION),
  windowNumber: v.number(),
  folds: v.number(),
  at: v.number(),
  lineIds: texts,
  countries: texts,
  areas: texts,
  history: texts,
});

/** Writes a line of JSON that says what follows, and then the numbers as they lie in memory: the same to the last bit. */
export function encodeSnapshot({ windowNumber, folds, evidence, history }: Snapshot): Buffer {
  const { lineIds, at, shares, everyone, countries, areas } = evidence;
  const header: v.InferOutput<typeof headerSchema> = {
    version: VERSION,
    windowNumber,
    folds,
    at,
    lineIds: [...lineIds],
    countries: [...countries.keys()],
    areas: [...areas.keys()],
    history: [...history.keys()],
  };
  const rows = [everyone, ...countries.values(), ...areas.values()];
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...[shares, Float64Array.from(rows, (row) => row.at), ...rows.map(({ cells }) => cells)].map(bytesOf),
    ...[...history.values()].map(bytesOf),
  ]);
}

/** Reads what `encodeSnapshot` wrote. Throws where there is a byte too few or too many. */
export function decodeSnapshot(bytes: Buffer): Snapshot {
  const headerEnd = bytes.indexOf(NEWLINE);
  const { windowNumber, folds, at, lineIds, countries, areas, history } = parseHeader(
    bytes.subarray(0, Math.max(0, headerEnd)),
  );
  const cells = lineIds.length * CELLS_PER_LINE;
  const rows = 1 + countries.length + areas.length;
  const numbers = lineIds.length + rows * (1 + cells);
  const wanted = headerEnd + 1 + numbers * Float64Array.BYTES_PER_ELEMENT + history.length * RING_LENGTH * 4;
  if (bytes.length !== wanted) throw new SnapshotError(`has ${bytes.length} bytes instead of ${wanted}`);
  let offset = headerEnd + 1;
  // Copied, because numbers must lie at multiples of their size.
  const takeBytes = (length: number): ArrayBuffer => {
    offset += length;
    return new Uint8Array(bytes.subarray(offset - length, offset)).buffer;
  };
  const take = (length: number): Float64Array =>
    new Float64Array(takeBytes(length * Float64Array.BYTES_PER_ELEMENT));
  const shares = take(lineIds.length);
  const times = [...take(rows)];
  const takeRow = (): EvidenceRow => ({ at: times.shift() ?? at, cells: take(cells) });
  return {
    windowNumber,
    folds,
    evidence: {
      lineIds,
      at,
      shares,
      everyone: takeRow(),
      countries: new Map(countries.map((country) => [country, takeRow()])),
      areas: new Map(areas.map((area) => [area, takeRow()])),
    },
    history: new Map(
      history.map((lineId) => [
        lineId,
        new Uint32Array(takeBytes(RING_LENGTH * Uint32Array.BYTES_PER_ELEMENT)),
      ]),
    ),
  };
}

function parseHeader(line: Buffer): v.InferOutput<typeof headerSchema> {
  try {
    return v.parse(headerSchema, JSON.parse(line.toString()));
  } catch (error) {
    throw new SnapshotError('does not start with the header of a snapshot', { cause: error });
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
