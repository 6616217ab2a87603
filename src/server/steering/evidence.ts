import type { ReadonlyCounts } from '../measurements/counts.ts';
import { WINDOW_MS } from '../measurements/measurement-store.ts';
import { type Area, countryOf } from './area.ts';
import { CELLS_PER_LINE, type EvidenceRow, createRow, foldRow } from './evidence-row.ts';
import { type CountsByLine, mergeCounts, readAreaCounts, readEntries } from './read-counts.ts';
import { trackShares } from './track-shares.ts';

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

/** How many observations of a line a row remembers. */
const CAPS = { area: 12, country: 48, everyone: 192 };
/** Bounds the memory to some 19 MB: 10,000 areas at 40 lines, 2,000 at 200. */
const MAX_AREA_CELLS = 2_400_000;

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
  const byArea = readAreaCounts(counts, lineIds);
  const byCountry = new Map<string, CountsByLine>();
  const ofEveryone: CountsByLine = new Map();
  for (const [area, ofArea] of byArea) {
    const country = countryOf(area);
    if (country !== undefined) {
      byCountry.set(country, mergeCounts(byCountry.get(country) ?? new Map(), ofArea));
    }
    mergeCounts(ofEveryone, ofArea);
    const row = areas.get(area) ?? createRow(lineIds.length, at);
    foldRow(row, ofArea, { cap: CAPS.area, at });
    areas.delete(area); // It goes to the end of the queue.
    areas.set(area, row);
  }
  for (const [country, ofCountry] of byCountry) {
    const row = countries.get(country) ?? createRow(lineIds.length, at);
    foldRow(row, ofCountry, { cap: CAPS.country, at });
    countries.set(country, row);
  }
  foldRow(everyone, ofEveryone, { cap: CAPS.everyone, at });
  forgetOldest(areas, MAX_AREA_CELLS / everyone.cells.length);
  evidence.shares = trackShares(evidence.shares, readEntries(counts, lineIds), at - evidence.at);
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
  const alignRow = ({ at, cells }: EvidenceRow): EvidenceRow => {
    const row = createRow(lineIds.length, at);
    for (const [line, source] of sources.entries()) {
      if (source === undefined) continue;
      const from = source * CELLS_PER_LINE;
      row.cells.set(cells.subarray(from, from + CELLS_PER_LINE), line * CELLS_PER_LINE);
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

function forgetOldest(areas: Map<Area, EvidenceRow>, most: number): void {
  for (const area of areas.keys()) {
    if (areas.size <= most) return;
    areas.delete(area);
  }
}
