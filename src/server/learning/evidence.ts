import type { ReadonlyCounts } from './counts.ts';
import { WINDOW_MS } from './measurement-store.ts';
import { type Area, countryOf } from './area.ts';
import {
  CELLS_PER_LINE,
  type CountsByLine,
  type CountsByVoter,
  type EvidenceRow,
  type LineCounts,
  createRow,
  foldRow,
  readTotals,
} from './evidence-row.ts';
import { readAreaCounts, readVisits } from './read-counts.ts';
import { trackShares } from './track-shares.ts';
import { VOTERS, findVoter } from './voters.ts';

/** Everything that the rule has learned, about lines that are known by their ids, in the order of the cells. */
export type Evidence = {
  readonly lineIds: readonly string[];
  /** The end of the last window that was folded, in ms. */
  at: number;
  shares: Float64Array;
  readonly everyone: EvidenceRow;
  readonly countries: Map<string, EvidenceRow>;
  /** The least recently folded first. */
  readonly areas: Map<Area, EvidenceRow>;
};

/** Bounds the memory to some 19 MB of cells, 10,000 areas at 40 lines, 2,000 at 200, and as much of votes. */
const MAX_AREA_CELLS = 2_400_000;
const MAX_AREA_VOTES = 150_000;

/** Nothing learned yet: each line has the share of its weight. */
export function createEvidence(lineIds: readonly string[], weights: Float64Array, at: number): Evidence {
  return {
    lineIds,
    at,
    shares: weights,
    everyone: createRow(lineIds.length, at),
    countries: new Map(),
    areas: new Map(),
  };
}

/** Folds one window of counts in. The same windows in the same order lead to the same evidence, to the last bit. */
export function foldWindow(evidence: Evidence, counts: ReadonlyCounts, endedAt: number): void {
  const { lineIds, everyone, countries, areas } = evidence;
  // A clock may be set back: what is known grows older all the same, by a window.
  const at = endedAt >= evidence.at ? endedAt : evidence.at + WINDOW_MS;
  const byCountry = new Map<string, Map<number, CountsByLine>>();
  const ofEveryone = new Map<number, CountsByLine>();
  for (const [area, ofArea] of readAreaCounts(counts, lineIds)) {
    const row = areas.get(area) ?? createRow(lineIds.length, at);
    foldRow(row, ofArea, { cap: VOTERS.area.cap, at, keepsOld: true });
    areas.delete(area); // It goes to the end of the queue.
    areas.set(area, row);
    // A wider view hears what the area as a whole says now, not how often it was said.
    const said = readLines(row, ofArea);
    hear(ofEveryone, findVoter(area, VOTERS.everyone.count), said);
    const country = countryOf(area);
    if (country === undefined) continue;
    let ofCountry = byCountry.get(country);
    if (ofCountry === undefined) byCountry.set(country, (ofCountry = new Map()));
    hear(ofCountry, findVoter(area, VOTERS.country.count), said);
  }
  for (const [country, ofCountry] of byCountry) {
    const row = countries.get(country) ?? createRow(lineIds.length, at);
    foldRow(row, ofCountry, { cap: VOTERS.country.cap, at, keepsOld: false });
    countries.set(country, row);
  }
  foldRow(everyone, ofEveryone, { cap: VOTERS.everyone.cap, at, keepsOld: false });
  forgetOldest(areas);
  evidence.shares = trackShares(evidence.shares, readVisits(counts, lineIds), at - evidence.at);
  evidence.at = at;
}

/** The same evidence for another list of lines: what is known of a line stays with it, a new one starts afresh. */
export function alignEvidence(
  evidence: Evidence,
  lineIds: readonly string[],
  weights: Float64Array,
): Evidence {
  const indexes = new Map(evidence.lineIds.map((id, index) => [id, index]));
  const sources = lineIds.map((id) => indexes.get(id));
  const alignRow = ({ at, cells, votes }: EvidenceRow): EvidenceRow => {
    const row = createRow(lineIds.length, at);
    for (const [line, source] of sources.entries()) {
      if (source === undefined) continue;
      const from = source * CELLS_PER_LINE;
      row.cells.set(cells.subarray(from, from + CELLS_PER_LINE), line * CELLS_PER_LINE);
      const ofLine = votes.get(source);
      if (ofLine !== undefined) row.votes.set(line, new Map(ofLine));
    }
    return row;
  };
  const alignRows = <K>(rows: ReadonlyMap<K, EvidenceRow>): Map<K, EvidenceRow> =>
    new Map([...rows].map(([key, row]) => [key, alignRow(row)]));
  const shares = weights.map((weight, line) => {
    const source = sources[line];
    return source === undefined ? weight : (evidence.shares[source] ?? weight);
  });
  return {
    lineIds,
    at: evidence.at,
    shares: normalize(shares),
    everyone: alignRow(evidence.everyone),
    countries: alignRows(evidence.countries),
    areas: alignRows(evidence.areas),
  };
}

/** Parts of a whole: the same proportions, with the sum 1. */
export function normalize(parts: Float64Array): Float64Array {
  const sum = parts.reduce((total, part) => total + part, 0);
  // Nothing is known of the only lines that are left.
  if (sum === 0) return parts.map(() => 1 / parts.length);
  return parts.map((part) => part / sum);
}

/** What a row says of the lines that were counted. */
function readLines(row: EvidenceRow, counts: CountsByVoter): CountsByLine {
  const said: CountsByLine = new Map();
  for (const byLine of counts.values()) {
    for (const line of byLine.keys()) said.set(line, readTotals(row, line));
  }
  return said;
}

/** Of two areas that are one voter, the one that spoke last is heard. */
function hear(voters: Map<number, CountsByLine>, voter: number, said: CountsByLine): void {
  const before = voters.get(voter) ?? new Map<number, LineCounts>();
  voters.set(voter, new Map([...before, ...said]));
}

function forgetOldest(areas: Map<Area, EvidenceRow>): void {
  let cells = 0;
  let votes = 0;
  for (const row of areas.values()) {
    cells += row.cells.length;
    for (const ofLine of row.votes.values()) votes += ofLine.size;
  }
  for (const [area, row] of areas) {
    if (cells <= MAX_AREA_CELLS && votes <= MAX_AREA_VOTES) return;
    areas.delete(area);
    cells -= row.cells.length;
    for (const ofLine of row.votes.values()) votes -= ofLine.size;
  }
}
