import type { ReadonlyCounts } from './counts.ts';
import { type Area, countryOf, createArea } from './area.ts';
import { type Belief, createFirstBelief, refineBelief, refineLine } from './belief.ts';
import { drawLines } from './draw-lines.ts';
import { findLoads, findOdds, lnEffectiveMs } from './effective-time.ts';
import { type EvidenceRow, createRow } from './evidence-row.ts';
import { type Evidence, alignEvidence, createEvidence, foldWindow, normalize } from './evidence.ts';
import { createGauss } from './gauss.ts';
import { REACHED_LATELY_MS, findReachedAt } from './find-reached-at.ts';
import { LUCK_MARGIN, type Offer, pickLines } from './pick-lines.ts';
import { shortlistLines } from './shortlist-lines.ts';

/** What the rule needs to know of a line. */
export type SteeredLine = { readonly id: string; readonly weight: number };

export type SteeringMode = 'measured' | 'uniform';

/** Why a line is, or is not, handed out in an area. */
export type LineView = {
  readonly id: string;
  readonly isUp: boolean;
  /** The part of the visitors who are believed to reach it. */
  readonly reach: number;
  readonly timeMs: number;
  /** By how much its load makes it look slower; 1 where it does not. */
  readonly loadFactor: number;
  /** What the three smallest are picked by, in ms. */
  readonly effectiveMs: number;
};

export type Steering = {
  /** At most four lines for a visitor of this area, by their index. */
  readonly pick: (area: Area) => readonly number[];
  /** Learns from a window of counts that ended at this time. */
  readonly fold: (counts: ReadonlyCounts, at: number) => void;
  /** Takes over the lines of a new site folder, if it is one. What was learned of those that stay is kept. */
  readonly setLines: (lines: readonly SteeredLine[], mode: SteeringMode) => void;
  /** How likely each of the lines that were picked for an area is to be entered; they sum to 1. */
  readonly shareOut: (area: Area, picked: readonly number[]) => readonly number[];
  /** Leaves lines out that the server sees down, unless visitors still reach them, or none would be left. */
  readonly setDown: (ids: ReadonlySet<string>) => void;
  readonly explain: (area: Area) => readonly LineView[];
  /** The areas of which something is known, the most recently seen first. */
  readonly areas: () => readonly Area[];
  readonly evidence: () => Evidence;
  readonly restore: (evidence: Evidence) => void;
};

/** The rule, see docs/steering.md: learns which lines do well where, and picks four of them for each visitor. */
export function createSteering({
  random,
  now,
}: {
  readonly random: () => number;
  readonly now: () => number;
}): Steering {
  const gauss = createGauss(random);
  let lines: readonly SteeredLine[] = [];
  let mode: SteeringMode = 'measured';
  let weights: Float64Array = new Float64Array();
  let evidence = createEvidence([], weights, now());
  let down: ReadonlySet<string> = new Set();
  let candidates: readonly number[] = [];
  // When the first of the lines that are kept though they are down has no reason to be kept any more.
  let keptUntil = Infinity;
  let loads: Float64Array = new Float64Array();
  // What follows from the evidence is worked out when it is first asked for after a fold.
  const beliefs = new Map<string | undefined, Belief>();
  const offers = new Map<Area, Offer>();

  return {
    pick: (area) => {
      if (now() >= keptUntil) forgetConclusions();
      return mode === 'uniform'
        ? drawLines(candidates, weights, random)
        : pickLines(findOffer(area), { random, gauss });
    },
    shareOut: (area, picked) => {
      const wider = findBelief(countryOf(area));
      const odds = picked.map((line) => findOdds(refineLine(wider, findRow(area), line, evidence.at)));
      const sum = odds.reduce((total, each) => total + each, 0);
      return odds.map((each) => each / sum);
    },
    fold: (counts, at) => {
      foldWindow(evidence, counts, at);
      forgetConclusions();
    },
    setLines: (given, givenMode) => {
      if (given === lines && givenMode === mode) return;
      lines = given;
      mode = givenMode;
      weights = normalize(Float64Array.from(lines, ({ weight }) => weight));
      restore(evidence);
    },
    setDown: (ids) => {
      down = ids;
      forgetConclusions();
    },
    explain: (area) => {
      const belief = refineBelief(findBelief(countryOf(area)), findRow(area), evidence.at);
      return lines.map(({ id }, line) => {
        const [reach = 0, lnMs = 0, load = 0] = [belief.reach[line], belief.lnMs[line], loads[line]];
        return {
          id,
          isUp: !down.has(id),
          reach,
          timeMs: Math.exp(lnMs),
          loadFactor: Math.exp(load),
          effectiveMs: Math.exp(lnEffectiveMs(lnMs, reach, load)),
        };
      });
    },
    areas: () => [...evidence.areas.keys()].toReversed(),
    evidence: () => evidence,
    restore,
  };

  function restore(given: Evidence): void {
    evidence = alignEvidence(
      given,
      lines.map(({ id }) => id),
      weights,
    );
    forgetConclusions();
  }

  function forgetConclusions(): void {
    beliefs.clear();
    offers.clear();
    loads = findLoads(evidence.shares, weights);
    keptUntil = Infinity;
    const all = lines.map((_, line) => line);
    const kept = all.filter((line) => !down.has(lines[line]?.id ?? '') || isStillReached(line));
    candidates = kept.length === 0 ? all : kept;
  }

  /** Whether visitors reach a line that the server sees down. Notes when that has to be asked again. */
  function isStillReached(line: number): boolean {
    const reachedUntil = findReachedAt(evidence.areas.values(), line, now()) + REACHED_LATELY_MS;
    if (reachedUntil <= now()) return false;
    keptUntil = Math.min(keptUntil, reachedUntil);
    return true;
  }

  function findOffer(area: Area): Offer {
    // All areas of a country that were never heard of, and there may be any number, are one.
    const known = evidence.areas.has(area) ? area : createArea(countryOf(area), '');
    let offer = offers.get(known);
    if (offer === undefined) {
      const settings = { candidates, at: evidence.at, loads, margin: LUCK_MARGIN };
      const belief = findBelief(countryOf(known));
      offer = { candidates, shortlist: shortlistLines(belief, findRow(known), settings) };
      offers.set(known, offer);
    }
    return offer;
  }

  function findRow(area: Area): EvidenceRow {
    return evidence.areas.get(area) ?? createRow(lines.length, evidence.at);
  }

  /** What is believed in a country, or by everyone where that is not known. */
  function findBelief(country: string | undefined): Belief {
    let belief = beliefs.get(country);
    if (belief === undefined) {
      belief = country === undefined ? findCommonBelief() : findNationalBelief(country);
      beliefs.set(country, belief);
    }
    return belief;
  }

  function findCommonBelief(): Belief {
    return refineBelief(createFirstBelief(evidence.everyone), evidence.everyone, evidence.at);
  }

  function findNationalBelief(country: string): Belief {
    const row = evidence.countries.get(country);
    const common = findBelief(undefined);
    return row === undefined ? common : refineBelief(common, row, evidence.at);
  }
}
