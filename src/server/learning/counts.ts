import { findOrAdd } from '../process/find-or-add.ts';
import type { Area } from './area.ts';

/** What visitors saw of one line, in one shape from the report of one visitor to the heat map. */
export type Observation = {
  /** Probes that got a valid answer. */
  readonly reached: number;
  /** Probes that got no valid answer. A probe that was still open when the visitor left counts as 0.3 of a failure. */
  readonly failed: number;
  /** The failures without the probes that were left open. Doubts, incidents and the console use it, the score does not. */
  readonly lost: number;
  /** How many times are in `sumLnMs`. At first the same as `reached`, but times are forgotten more slowly. */
  readonly times: number;
  /** The sum of the logarithms of the times, in ms. */
  readonly sumLnMs: number;
  /** The same of the probes that were left open: how long they had waited. Left out if there were none. */
  readonly openLnMs?: number | undefined;
};

/** What was counted of a line in all areas together. A probe that was left open is not a try. */
export type LineTally = {
  handedOut: number;
  /** Its part of the visits that were handed out. Only some visits of one prefix count. */
  visits: number;
  tried: number;
  reached: number;
  entered: number;
  /** Visitors who lost it while they were in it, and were moved to another. */
  moved: number;
  /** Tries that say how often visitors get in, and how many of them did, see `listFairTries` in `count-report.ts`. */
  met: number;
  gotIn: number;
  /** How many of its times fell into each bucket, see `time-buckets.ts`. */
  readonly times: Map<number, number>;
};

/** What was counted of the site as a whole. */
export type SiteTally = {
  hostnameCalls: number;
  reports: number;
  /** Reports of visitors who entered a line. */
  entered: number;
  /** Reports of visitors whose every try of a line failed. */
  stranded: number;
  /** Reports that say whether the visitor could get in, and how many of them could. */
  met: number;
  gotIn: number;
  /** How many of the stranded were of each voter, see `voters.ts`. */
  strandedByVoter: Map<number, number>;
  /** How many times of the lines that were entered fell into each bucket. */
  times: Map<number, number>;
};

/** How long counts are added up before they are folded into what is known. */
export const WINDOW_MS = 10_000;

/** What was counted in some stretch of time, such as a window. */
export type Counts = {
  /** By area, by voter (see `voters.ts`), by line id. */
  readonly areas: Map<Area, Map<number, Map<string, Observation>>>;
  /** By line id. */
  readonly lines: Map<string, LineTally>;
  readonly site: SiteTally;
};

export function createCounts(): Counts {
  return {
    areas: new Map(),
    lines: new Map(),
    site: {
      hostnameCalls: 0,
      reports: 0,
      entered: 0,
      stranded: 0,
      met: 0,
      gotIn: 0,
      strandedByVoter: new Map(),
      times: new Map(),
    },
  };
}

export function isEmpty({ areas, lines, site }: Counts): boolean {
  return areas.size === 0 && lines.size === 0 && site.hostnameCalls === 0 && site.reports === 0;
}

/** How many observations there are: with them grows the memory that counts take. */
export function countCells({ areas }: Counts): number {
  let cells = 0;
  for (const voters of areas.values()) for (const seen of voters.values()) cells += seen.size;
  return cells;
}

const NO_TALLY = { handedOut: 0, visits: 0, tried: 0, reached: 0, entered: 0, moved: 0, met: 0, gotIn: 0 };

/** What was counted of a line so far, to be added to. */
export function openTally({ lines }: Counts, lineId: string): LineTally {
  return findOrAdd(lines, lineId, () => ({ ...NO_TALLY, times: new Map() }));
}

/** What a voter saw so far, by line id, to be added to. */
export function openVoter({ areas }: Counts, area: Area, voter: number): Map<string, Observation> {
  const voters = findOrAdd(areas, area, () => new Map());
  return findOrAdd(voters, voter, () => new Map());
}

/** Adds to a line's part of the visits, in whole thousandths. */
export function addVisits(tally: LineTally, visits: number): void {
  tally.visits = roundToThousandths(tally.visits + roundToThousandths(visits));
}

export function addObservation(seen: Map<string, Observation>, lineId: string, added: Observation): void {
  const before = seen.get(lineId);
  seen.set(lineId, before === undefined ? added : sumObservations(before, added));
}

/** Adds to what was counted of something, such as a bucket or a voter. */
export function addCount<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Adds counts to others. */
export function addCounts(sum: Counts, { areas, lines, site }: Counts): void {
  for (const [area, voters] of areas) {
    for (const [voter, added] of voters) {
      const seen = openVoter(sum, area, voter);
      for (const [lineId, observation] of added) addObservation(seen, lineId, observation);
    }
  }
  for (const [lineId, added] of lines) {
    const tally = openTally(sum, lineId);
    tally.handedOut += added.handedOut;
    addVisits(tally, added.visits);
    tally.tried += added.tried;
    tally.reached += added.reached;
    tally.entered += added.entered;
    tally.moved += added.moved;
    tally.met += added.met;
    tally.gotIn += added.gotIn;
    for (const [bucket, count] of added.times) addCount(tally.times, bucket, count);
  }
  sum.site.hostnameCalls += site.hostnameCalls;
  sum.site.reports += site.reports;
  sum.site.entered += site.entered;
  sum.site.stranded += site.stranded;
  sum.site.met += site.met;
  sum.site.gotIn += site.gotIn;
  for (const [voter, count] of site.strandedByVoter) addCount(sum.site.strandedByVoter, voter, count);
  for (const [bucket, count] of site.times) addCount(sum.site.times, bucket, count);
}

/** Divides counts into parts, each with about this number of observations at most. All parts together are the same counts. */
export function splitCounts({ areas, lines, site }: Counts, maxCells: number): readonly Counts[] {
  const parts: [Counts, ...Counts[]] = [{ ...createCounts(), lines, site }];
  let [part] = parts;
  let cells = 0;
  for (const [area, voters] of areas) {
    for (const [voter, seen] of voters) {
      if (cells > 0 && cells + seen.size > maxCells) {
        parts.push((part = createCounts()));
        cells = 0;
      }
      for (const [lineId, observation] of seen)
        addObservation(openVoter(part, area, voter), lineId, observation);
      cells += seen.size;
    }
  }
  return parts;
}

function sumObservations(a: Observation, b: Observation): Observation {
  return {
    reached: a.reached + b.reached,
    failed: roundToTenths(a.failed + b.failed),
    lost: a.lost + b.lost,
    times: a.times + b.times,
    sumLnMs: roundToThousandths(a.sumLnMs + b.sumLnMs),
    openLnMs:
      a.openLnMs === undefined && b.openLnMs === undefined
        ? undefined
        : roundToThousandths((a.openLnMs ?? 0) + (b.openLnMs ?? 0)),
  };
}

/** All portals must add in the same order, because the last bits of a sum depend on it. */
export function sortByName<K extends string | number, T>(
  map: ReadonlyMap<K, T>,
): readonly (readonly [K, T])[] {
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

// All counts are whole tenths or thousandths. Rounding to them after each step makes a sum exactly the same in any order and
// on any portal.

export function roundToTenths(amount: number): number {
  return Math.round(amount * 10) / 10;
}

export function roundToThousandths(amount: number): number {
  return Math.round(amount * 1_000) / 1_000;
}
