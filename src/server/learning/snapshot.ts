import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { CELLS_PER_LINE, type EvidenceRow } from './evidence-row.ts';
import type { Evidence } from './evidence.ts';
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

const VERSION = 4;
const NEWLINE = 10;
const CHECKSUM_BYTES = 4;
/** No clock shows a later time, in ms since 1970, and no count or sum comes near it. */
const LATEST = 8.64e15;
/** A day. The longest time that can be reported has 11.5. */
const LARGEST_LN_MS = Math.log(86_400_000);
const texts = v.array(v.string());
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const headerSchema = v.object({
  version: v.literal(VERSION),
  windowNumber: wholeNumber,
  folds: wholeNumber,
  at: v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST)),
  lineIds: texts,
  countries: texts,
  areas: texts,
  /** How many votes each row has. */
  votes: v.array(wholeNumber),
  history: texts,
});

/**
 * Writes a line of JSON that says what follows, the numbers as they lie in memory, to the last bit, and a checksum of all
 * of it.
 */
export function encodeSnapshot({ windowNumber, folds, evidence, history }: Snapshot): Buffer {
  const { lineIds, at, shares, everyone, countries, areas } = evidence;
  const rows = [everyone, ...countries.values(), ...areas.values()];
  const votes = rows.map(listVotes);
  const header: v.InferOutput<typeof headerSchema> = {
    version: VERSION,
    windowNumber,
    folds,
    at,
    lineIds: [...lineIds],
    countries: [...countries.keys()],
    areas: [...areas.keys()],
    votes: votes.map((ofRow) => ofRow.length / NUMBERS_PER_VOTE),
    history: [...history.keys()],
  };
  const content = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...[shares, Float64Array.from(rows, (row) => row.at), ...rows.map(({ cells }) => cells), ...votes].map(
      bytesOf,
    ),
    ...[...history.values()].map(bytesOf),
  ]);
  return Buffer.concat([content, checksumOf(content)]);
}

/**
 * Reads what `encodeSnapshot` wrote. Throws where a byte is missing or changed, and where a number is not one that can be
 * counted or measured: another version of this program may have written it.
 */
export function decodeSnapshot(whole: Buffer): Snapshot {
  const bytes = verifyChecksum(whole);
  const headerEnd = bytes.indexOf(NEWLINE);
  const { windowNumber, folds, at, lineIds, countries, areas, votes, history } = parseHeader(
    bytes.subarray(0, Math.max(0, headerEnd)),
  );
  const cells = lineIds.length * CELLS_PER_LINE;
  const rows = 1 + countries.length + areas.length;
  const allVotes = votes.reduce((sum, count) => sum + count, 0);
  const numbers = lineIds.length + rows * (1 + cells) + allVotes * NUMBERS_PER_VOTE;
  const wanted = headerEnd + 1 + numbers * Float64Array.BYTES_PER_ELEMENT + history.length * RING_LENGTH * 4;
  if (bytes.length !== wanted) throw new SnapshotError(`has ${bytes.length} bytes instead of ${wanted}`);
  let offset = headerEnd + 1;
  // Copied, because numbers must lie at multiples of their size.
  const takeBytes = (length: number): ArrayBuffer => {
    offset += length;
    return new Uint8Array(bytes.subarray(offset - length, offset)).buffer;
  };
  const take = (length: number, largest: number): Float64Array => {
    const numbers = new Float64Array(takeBytes(length * Float64Array.BYTES_PER_ELEMENT));
    if (!numbers.every((number) => number >= 0 && number <= largest)) {
      throw new SnapshotError(`holds a number that is not between 0 and ${largest}`);
    }
    return numbers;
  };
  const shares = take(lineIds.length, 1);
  const times = [...take(rows, LATEST)];
  const allCells = times.map(() => verifyCells(take(cells, LATEST)));
  const takeRow = (index: number): EvidenceRow => ({
    at: times[index] ?? at,
    cells: allCells[index] ?? new Float64Array(cells),
    votes: readVotes(take((votes[index] ?? 0) * NUMBERS_PER_VOTE, LATEST), lineIds.length),
  });
  return {
    windowNumber,
    folds,
    evidence: {
      lineIds,
      at,
      shares,
      everyone: takeRow(0),
      countries: new Map(countries.map((country, index) => [country, takeRow(1 + index)])),
      areas: new Map(areas.map((area, index) => [area, takeRow(1 + countries.length + index)])),
    },
    history: new Map(
      history.map((lineId) => [
        lineId,
        new Uint32Array(takeBytes(RING_LENGTH * Uint32Array.BYTES_PER_ELEMENT)),
      ]),
    ),
  };
}

/** In the order of `readVotes`. */
const NUMBERS_PER_VOTE = 9;

function listVotes({ votes }: EvidenceRow): Float64Array {
  return Float64Array.from(
    [...votes].flatMap(([line, ofLine]) =>
      [...ofLine].flatMap(([voter, { at, reachedAt, reached, failed, lost, times, sumLnMs }]) => [
        line,
        voter,
        at,
        reachedAt,
        reached,
        failed,
        lost,
        times,
        sumLnMs,
      ]),
    ),
  );
}

function readVotes(numbers: Float64Array, lines: number): EvidenceRow['votes'] {
  const votes: EvidenceRow['votes'] = new Map();
  for (let start = 0; start < numbers.length; start += NUMBERS_PER_VOTE) {
    const vote = numbers.subarray(start, start + NUMBERS_PER_VOTE);
    const [line = 0, voter = 0, at = 0, reachedAt = 0, reached = 0, failed = 0, lost = 0] = vote;
    const [times = 0, sumLnMs = 0] = vote.subarray(7);
    if (line >= lines || sumLnMs > times * LARGEST_LN_MS) {
      throw new SnapshotError('holds a vote about no line, or with a number that is too large for a time');
    }
    let ofLine = votes.get(line);
    if (ofLine === undefined) votes.set(line, (ofLine = new Map()));
    ofLine.set(voter, { at, reachedAt, reached, failed, lost, times, sumLnMs });
  }
  return votes;
}

/** The sum of the logarithms of some times can be no larger than as many of the longest. */
function verifyCells(cells: Float64Array): Float64Array {
  for (let cell = 0; cell < cells.length; cell += CELLS_PER_LINE) {
    const [times = 0, sumLnMs = 0] = cells.subarray(cell + 2, cell + 4);
    if (sumLnMs > times * LARGEST_LN_MS)
      throw new SnapshotError('holds a number that is too large for a time');
  }
  return cells;
}

function verifyChecksum(whole: Buffer): Buffer {
  const content = whole.subarray(0, -CHECKSUM_BYTES);
  if (whole.length < CHECKSUM_BYTES || !checksumOf(content).equals(whole.subarray(-CHECKSUM_BYTES))) {
    throw new SnapshotError('is not what was written: its checksum is wrong');
  }
  return content;
}

function checksumOf(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum;
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
