import { findOrAdd } from '../process/find-or-add.ts';
import { type Area, countryOf } from './area.ts';
import type { Knowledge } from './knowledge.ts';
import { scoreReach } from './score.ts';
import type { Observation } from './counts.ts';
import { type View, sumVotes } from './view.ts';

/** The estimates of every line in one view. All lists are in the order of the site's lines. */
export type Beliefs = {
  /** The part of the visitors who reach it. */
  readonly reach: Float64Array;
  /** The logarithm of the ms that it takes to answer. */
  readonly lnMs: Float64Array;
  /** The logarithm of its effective time, without its load. */
  readonly score: Float64Array;
};

/** What is believed of the lines. Knows each country once, and each area once. */
export type BeliefReader = {
  readonly ofArea: (area: Area) => Beliefs;
  /** Of everyone, if the country is not known. */
  readonly ofCountry: (country: string | undefined) => Beliefs;
};

/** How many observations the wider view weighs against those of a closer one. */
const WIDER_WEIGHT = 8;
const REACH_AT_FIRST = 0.9;
const LN_MS_AT_FIRST = Math.log(150);

/** Reads what is believed, as long as nothing new is folded in. */
export function createBeliefReader(knowledge: Knowledge): BeliefReader {
  const { lineIds, everyone, countries, areas, at } = knowledge;
  const places = new Map(lineIds.map((lineId, line) => [lineId, line]));
  const byCountry = new Map<string | undefined, Beliefs>();
  const byArea = new Map<Area, Beliefs>();
  const refine = (wider: Beliefs, view: View | undefined): Beliefs =>
    view === undefined || view.lines.size === 0 ? wider : refineBeliefs(wider, view, { places, at });

  return {
    ofCountry,
    ofArea: (area) => {
      let beliefs = byArea.get(area);
      if (beliefs !== undefined) return beliefs;
      const wider = ofCountry(countryOf(area));
      beliefs = refine(wider, areas.get(area));
      // There may be any number of areas of which nothing is known.
      if (beliefs !== wider) byArea.set(area, beliefs);
      return beliefs;
    },
  };

  function ofCountry(country: string | undefined): Beliefs {
    return findOrAdd(byCountry, country, () =>
      country === undefined
        ? refine(createFirstBeliefs(lineIds, everyone, at), everyone)
        : refine(ofCountry(undefined), countries.get(country)),
    );
  }
}

/** How much what was seen of a line changes its score, against the estimate of the wider view. */
export function findChange(
  wider: Beliefs,
  line: number,
  { reached, failed, times, sumLnMs }: Observation,
): number {
  const reach = blendReach(reached, failed, wider.reach[line] ?? 0);
  const lnMs = blendLnMs(sumLnMs, times, wider.lnMs[line] ?? 0);
  return Math.abs(scoreReach(lnMs, reach) - (wider.score[line] ?? 0));
}

/** The estimates to start from: all lines are equal, and take as long as the average line. */
function createFirstBeliefs(lineIds: readonly string[], everyone: View, at: number): Beliefs {
  let times = 0;
  let sumLnMs = 0;
  for (const lineId of lineIds) {
    const seen = sumVotes(everyone, lineId, at);
    times += seen.times;
    sumLnMs += seen.sumLnMs;
  }
  const lnMs = blendLnMs(sumLnMs, times, LN_MS_AT_FIRST);
  const fill = (value: number): Float64Array => new Float64Array(lineIds.length).fill(value);
  return { reach: fill(REACH_AT_FIRST), lnMs: fill(lnMs), score: fill(scoreReach(lnMs, REACH_AT_FIRST)) };
}

/**
 * Corrects the estimates of a wider view with what a closer view saw. Lines that nobody has tried there keep the wider
 * estimate.
 */
function refineBeliefs(
  wider: Beliefs,
  view: View,
  { places, at }: { readonly places: ReadonlyMap<string, number>; readonly at: number },
): Beliefs {
  const [reach, lnMs, score] = [wider.reach.slice(), wider.lnMs.slice(), wider.score.slice()];
  for (const lineId of view.lines.keys()) {
    const line = places.get(lineId);
    if (line === undefined) continue;
    const seen = sumVotes(view, lineId, at);
    const ofReach = blendReach(seen.reached, seen.failed, reach[line] ?? 0);
    const ofTime = blendLnMs(seen.sumLnMs, seen.times, lnMs[line] ?? 0);
    reach[line] = ofReach;
    lnMs[line] = ofTime;
    score[line] = scoreReach(ofTime, ofReach);
  }
  return { reach, lnMs, score };
}

function blendReach(reached: number, failed: number, wider: number): number {
  return (reached + WIDER_WEIGHT * wider) / (reached + failed + WIDER_WEIGHT);
}

function blendLnMs(sumLnMs: number, times: number, wider: number): number {
  return (sumLnMs + WIDER_WEIGHT * wider) / (times + WIDER_WEIGHT);
}
