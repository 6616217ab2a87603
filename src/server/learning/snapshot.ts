import { promisify } from 'node:util';
import { constants, crc32, gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import type { Observation } from './counts.ts';
import type { SavedHistory } from './create-history.ts';
import type { Knowledge } from './knowledge.ts';
import { RING_LENGTH } from './create-minute-ring.ts';
import { readLosses, saveLosses } from './losses/save-losses.ts';
import { type LineRecord, type View, type Vote, countVotes, createRecord, createView } from './view.ts';

/** Everything that was learned up to a window. */
export type Snapshot = {
  /** The number of that window, see `open-window-log.ts`. */
  readonly seq: number;
  readonly knowledge: Knowledge;
  readonly history: SavedHistory;
};

/** The bytes are not a snapshot of ours, or not a complete one. */
class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code = 'snapshot';
}

const VERSION = 6;
const NEWLINE = 10;
const CHECKSUM_BYTES = 4;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
const RING_BYTES = RING_LENGTH * Uint32Array.BYTES_PER_ELEMENT;
/** See `writeRecord` and `writeVote`. */
const NUMBERS_PER_RECORD = 5;
const NUMBERS_PER_VOTE = 9;
/** These stand for the site as a whole among the ids of the lines whose history follows. */
const SITE = '*';
const ARRIVALS = '*arrivals';
/** The largest number that is allowed. No time, in ms since 1970, and no count or sum comes near it. */
const LATEST = 8.64e15;
/** The logarithm of a day. The longest time that can be reported is 99,999 ms, with a logarithm of 11.5. */
const LARGEST_LN_MS = Math.log(86_400_000);
const texts = v.array(v.string());
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const headerSchema = v.object({
  version: v.literal(VERSION),
  seq: wholeNumber,
  at: v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST)),
  lineIds: texts,
  countries: texts,
  areas: texts,
  /** How many votes each view has. */
  votes: v.array(wholeNumber),
  /** The names of lines and places in the numbers of the losses, and how many numbers these are. */
  lossNames: texts,
  lossNumbers: wholeNumber,
  history: texts,
});

/** More than the largest site with 1,000 lines can need. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Packs what `encodeSnapshot` wrote: most minutes of most lines are empty, and a site of 1,000 lines has 44 MB of them. */
export function packSnapshot(encoded: Buffer): Promise<Buffer> {
  return promisify(gzip)(encoded, { level: constants.Z_BEST_SPEED });
}

/** Reads what `packSnapshot` wrote. Throws as `decodeSnapshot` does. */
export async function unpackSnapshot(bytes: Buffer): Promise<Snapshot> {
  return decodeSnapshot(await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }));
}

/** The checksum at the end of what `encodeSnapshot` wrote: portals that know the same have the same. */
export function readChecksum(encoded: Buffer): number {
  return encoded.readUInt32BE(encoded.length - CHECKSUM_BYTES);
}

/**
 * Writes a line of JSON that says what follows; the shares; of everyone, of each country and of each area, when it was
 * last folded, then its records, then its votes; the losses; the history; and a checksum of all of it.
 */
export function encodeSnapshot({ seq, knowledge, history }: Snapshot): Buffer {
  const { lineIds, at, shares, everyone, countries, areas } = knowledge;
  const losses = saveLosses(knowledge.losses);
  const views = [everyone, ...countries.values(), ...areas.values()];
  const votes = views.map(countVotes);
  const rings = new Map([[SITE, history.site], [ARRIVALS, history.arrivals], ...history.lines]);
  const header = encodeHeader({
    version: VERSION,
    seq,
    at,
    lineIds: [...lineIds],
    countries: [...countries.keys()],
    areas: [...areas.keys()],
    votes,
    lossNames: [...losses.names],
    lossNumbers: losses.numbers.length,
    history: [...rings.keys()],
  });
  const numberCount = countNumbers(lineIds.length, votes) + losses.numbers.length;
  const ringsStart = header.length + numberCount * NUMBER_BYTES;
  const checksumStart = ringsStart + rings.size * RING_BYTES;
  const bytes = Buffer.from(new ArrayBuffer(checksumStart + CHECKSUM_BYTES));
  bytes.set(header);
  const writer = createNumberWriter(new Float64Array(bytes.buffer, header.length, numberCount));
  writer.write(...shares);
  writer.write(...views.map((view) => view.at));
  for (const view of views) {
    for (const lineId of lineIds) writeRecord(writer, view.lines.get(lineId));
  }
  for (const view of views) {
    for (const [line, lineId] of lineIds.entries()) {
      for (const [voter, vote] of view.lines.get(lineId)?.votes ?? []) writeVote(writer, line, voter, vote);
    }
  }
  for (const number of losses.numbers) writer.write(number);
  for (const [index, ring] of [...rings.values()].entries()) {
    bytes.set(new Uint8Array(ring.buffer, ring.byteOffset, RING_BYTES), ringsStart + index * RING_BYTES);
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(0, checksumStart)), checksumStart);
  return bytes;
}

/**
 * Reads what `encodeSnapshot` wrote. Throws where a byte is missing or changed, and where a number is not one that can be
 * counted or measured: another version of this program may have written it.
 */
export function decodeSnapshot(whole: Buffer): Snapshot {
  const bytes = verifyChecksum(whole);
  const headerEnd = bytes.indexOf(NEWLINE) + 1;
  const header = parseHeader(bytes.subarray(0, headerEnd));
  const { seq, at, lineIds, countries, areas, votes, lossNames, history } = header;
  const numberCount = countNumbers(lineIds.length, votes) + header.lossNumbers;
  const wanted = headerEnd + numberCount * NUMBER_BYTES + history.length * RING_BYTES;
  const viewCount = 1 + countries.length + areas.length;
  if (bytes.length !== wanted || votes.length !== viewCount) {
    throw new SnapshotError(`has ${bytes.length} bytes instead of ${wanted}`);
  }
  // Copied, because numbers must lie at multiples of their size.
  const { buffer } = new Uint8Array(bytes.subarray(headerEnd));
  const reader = createNumberReader(new Float64Array(buffer, 0, numberCount));
  const shares = lineIds.map(() => reader.read(1));
  const views = votes.map(() => createView(reader.read(LATEST)));
  for (const { lines } of views) {
    for (const lineId of lineIds) {
      const record = readRecord(reader);
      if (record !== undefined) lines.set(lineId, record);
    }
  }
  for (const [index, { lines }] of views.entries()) {
    for (let vote = 0; vote < (votes[index] ?? 0); vote += 1) readVote(reader, lines, lineIds);
  }
  const losses = readLosses(lossNames, () => reader.read(LATEST));
  const rings = new Map(
    history.map((id, index) => [
      id,
      new Uint32Array(buffer, numberCount * NUMBER_BYTES + index * RING_BYTES, RING_LENGTH),
    ]),
  );
  const takeRing = (id: string): Uint32Array => {
    const ring = rings.get(id) ?? new Uint32Array(RING_LENGTH);
    rings.delete(id);
    return ring;
  };
  const [everyone = createView(at), ...others] = views;
  return {
    seq,
    knowledge: {
      lineIds,
      at,
      shares,
      everyone,
      countries: nameViews(countries, others),
      areas: nameViews(areas, others.slice(countries.length)),
      losses,
    },
    history: { site: takeRing(SITE), arrivals: takeRing(ARRIVALS), lines: rings },
  };
}

/** The first views, one for each name. */
function nameViews(names: readonly string[], views: readonly View[]): Map<string, View> {
  return new Map(names.map((name, index) => [name, views[index] ?? createView(0)]));
}

type NumberWriter = {
  readonly write: (...numbers: readonly number[]) => void;
  /** Leaves the next `count` numbers as they are: zero. */
  readonly skip: (count: number) => void;
};

function createNumberWriter(target: Float64Array): NumberWriter {
  let place = 0;
  return {
    write: (...numbers) => {
      for (const number of numbers) {
        target[place] = number;
        place += 1;
      }
    },
    skip: (count) => {
      place += count;
    },
  };
}

type NumberReader = {
  /** The next number, which must be between 0 and this one. */
  readonly read: (largest: number) => number;
};

function createNumberReader(source: Float64Array): NumberReader {
  let place = 0;
  return {
    read: (largest) => {
      const number = source[place] ?? Number.NaN;
      place += 1;
      if (number >= 0 && number <= largest) return number;
      throw new SnapshotError(`holds a number that is not between 0 and ${largest}`);
    },
  };
}

/** A line without a record is as many zeros. */
function writeRecord({ write, skip }: NumberWriter, record: LineRecord | undefined): void {
  if (record === undefined) return skip(NUMBERS_PER_RECORD);
  const { reached, failed, times, sumLnMs, lost } = record;
  write(reached, failed, times, sumLnMs, lost);
}

function readRecord({ read }: NumberReader): LineRecord | undefined {
  const [reached, failed, times] = [read(LATEST), read(LATEST), read(LATEST)];
  const [sumLnMs, lost] = [read(LATEST), read(LATEST)];
  verifyTimes({ times, sumLnMs });
  if (reached + failed + times + sumLnMs + lost === 0) return undefined;
  return { ...createRecord(), reached, failed, lost, times, sumLnMs };
}

function writeVote({ write }: NumberWriter, line: number, voter: number, vote: Vote): void {
  const { at, reachedAt, reached, failed, lost, times, sumLnMs } = vote;
  write(line, voter, at, reachedAt, reached, failed, lost, times, sumLnMs);
}

function readVote({ read }: NumberReader, lines: Map<string, LineRecord>, lineIds: readonly string[]): void {
  const [line, voter, at, reachedAt] = [read(LATEST), read(LATEST), read(LATEST), read(LATEST)];
  const [reached, failed, lost] = [read(LATEST), read(LATEST), read(LATEST)];
  const [times, sumLnMs] = [read(LATEST), read(LATEST)];
  verifyTimes({ times, sumLnMs });
  const lineId = lineIds[line];
  if (lineId === undefined) throw new SnapshotError('holds a vote about no line');
  let record = lines.get(lineId);
  if (record === undefined) lines.set(lineId, (record = createRecord()));
  record.votes.set(voter, { reached, failed, lost, times, sumLnMs, at, reachedAt });
}

/** The sum of the logarithms of some times can be no larger than as many of the longest. */
function verifyTimes({ times, sumLnMs }: Pick<Observation, 'times' | 'sumLnMs'>): void {
  if (sumLnMs > times * LARGEST_LN_MS) throw new SnapshotError('holds a number that is too large for a time');
}

/** How many numbers stand between the header and the history. */
function countNumbers(lines: number, votes: readonly number[]): number {
  const allVotes = votes.reduce((sum, count) => sum + count, 0);
  return lines + votes.length * (1 + lines * NUMBERS_PER_RECORD) + allVotes * NUMBERS_PER_VOTE;
}

/** JSON, and spaces that put the numbers behind it at a multiple of their size. */
function encodeHeader(header: v.InferOutput<typeof headerSchema>): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const spaces = NUMBER_BYTES - 1 - (json.length % NUMBER_BYTES);
  return Buffer.concat([json, Buffer.from(`${' '.repeat(spaces)}\n`)]);
}

function parseHeader(line: Buffer): v.InferOutput<typeof headerSchema> {
  try {
    return v.parse(headerSchema, JSON.parse(line.toString()));
  } catch (error) {
    throw new SnapshotError('does not start with the header of a snapshot', { cause: error });
  }
}

function verifyChecksum(whole: Buffer): Buffer {
  const content = whole.subarray(0, -CHECKSUM_BYTES);
  if (whole.length < CHECKSUM_BYTES || crc32(content) !== whole.readUInt32BE(content.length)) {
    throw new SnapshotError('is not what was written: its checksum is wrong');
  }
  return content;
}
