import { findOrAdd } from '../process/find-or-add.ts';
import type { Area } from './area.ts';
import { createBeliefReader } from './belief.ts';
import { type Knowledge, REACHED_LATELY_MS, findReachedAt } from './knowledge.ts';
import { countryPlaceOf } from './losses/places.ts';
import { type PickOffer, shortlistLines } from './pick-lines.ts';
import { createIsKept, findLnLoads, findOdds } from './score.ts';

/** What the steering needs to know of a line. */
export type SteeredLine = { readonly id: string; readonly weight: number };

/** Lines that a visitor may not be handed, by their index: a set, or a map with the reasons. */
export type Excluded = { readonly size: number; readonly has: (line: number) => boolean };

/** Why a line is, or is not, handed out in an area. */
export type LineScore = {
  readonly id: string;
  readonly isUp: boolean;
  /** True if all lines are down and nobody reaches any: each is handed out, because none would be left. */
  readonly isLastResort: boolean;
  /** The part of the visitors who are believed to reach it. */
  readonly reach: number;
  readonly timeMs: number;
  /** By how much its load makes it look slower; 1 means not at all. */
  readonly loadFactor: number;
  /** The effective time, in ms: the three lines with the smallest are picked. */
  readonly effectiveMs: number;
  /** True if a visitor who entered it last would be handed it again. */
  readonly isKept: boolean;
};

/** What visitors of one area are offered. */
export type Offer = PickOffer & {
  /** Whether a visitor who entered a line last is handed it again. */
  readonly isKept: (line: number) => boolean;
};

/** What visitors of each area are offered. It follows from what is known, and must be made anew when anything of that changes. */
export type Offers = {
  /** At this time they must be made anew in any case: a line that is down is offered only as long as visitors reach it. */
  readonly until: number;
  readonly find: (area: Area, excluded: Excluded) => Offer;
  /** How likely each of the lines that were picked is to be entered; they sum to 1. */
  readonly shareOut: (area: Area, picked: readonly number[]) => readonly number[];
  readonly explain: (area: Area, excluded: Excluded) => readonly LineScore[];
};

export type OfferFacts = {
  readonly knowledge: Knowledge;
  readonly lines: readonly SteeredLine[];
  /** Their weights as parts of a whole. */
  readonly weights: readonly number[];
  /** The ids of the lines that the server sees down, and of those whose application is dead. */
  readonly down: ReadonlySet<string>;
  readonly dead: ReadonlySet<string>;
};

export function createOffers(facts: OfferFacts, now: number): Offers {
  const { knowledge, lines, weights, down } = facts;
  const { candidates, isLastResort, until } = findCandidates(facts, now);
  const lnLoads = findLnLoads(knowledge.shares, weights);
  // What is believed of an area, and what is offered there, is worked out when somebody first asks for it.
  const beliefs = createBeliefReader(knowledge);
  const offers = new Map<Area, Offer>();

  return {
    until,
    find: (area, excluded) => {
      const known = findKnownArea(area);
      // Each visitor may have exclusions of their own, so only what is offered to those without is kept.
      if (excluded.size > 0) return makeOffer(leaveOut(candidates, excluded), known);
      return findOrAdd(offers, known, () => makeOffer(candidates, known));
    },
    shareOut: (area, picked) => {
      const believed = beliefs.ofArea(area);
      const odds = picked.map((line) => findOdds(believed, line));
      const sum = odds.reduce((total, each) => total + each, 0);
      return odds.map((each) => each / sum);
    },
    explain: (area, excluded) => {
      const { reach, lnMs, score } = beliefs.ofArea(area);
      const isKept = createIsKept(leaveOut(candidates, excluded), { score, lnLoads });
      return lines.map(({ id }, line) => ({
        id,
        isUp: !down.has(id),
        isLastResort,
        reach: reach[line] ?? 0,
        timeMs: Math.exp(lnMs[line] ?? 0),
        loadFactor: Math.exp(lnLoads[line] ?? 0),
        effectiveMs: Math.exp((score[line] ?? 0) + (lnLoads[line] ?? 0)),
        isKept: isKept(line),
      }));
    },
  };

  function makeOffer(offered: readonly number[], area: Area): Offer {
    const { score } = beliefs.ofArea(area);
    const loaded = score.map((each, line) => each + (lnLoads[line] ?? 0));
    return {
      candidates: offered,
      shortlist: shortlistLines(offered, loaded),
      isKept: createIsKept(offered, { score, lnLoads }),
    };
  }

  /** Areas of which nothing is known share one entry for each country, because there may be any number of them. */
  function findKnownArea(area: Area): Area {
    return (knowledge.areas.get(area)?.lines.size ?? 0) > 0 ? area : countryPlaceOf(area);
  }
}

/** The lines that may be handed out: those that are up, and those that visitors still reach. All of them if none would be left. */
function findCandidates(
  { knowledge, lines, down, dead }: OfferFacts,
  now: number,
): Pick<Offer, 'candidates'> & Pick<Offers, 'until'> & Pick<LineScore, 'isLastResort'> {
  let until = Infinity;
  const isStillReached = (id: string): boolean => {
    const reachedUntil = findReachedAt(knowledge, id, now) + REACHED_LATELY_MS;
    if (reachedUntil <= now) return false;
    until = Math.min(until, reachedUntil);
    return true;
  };
  const all = lines.map((_, line) => line);
  const kept = lines.flatMap(({ id }, line) =>
    !down.has(id) || (!dead.has(id) && isStillReached(id)) ? [line] : [],
  );
  const isLastResort = kept.length === 0;
  return { candidates: isLastResort ? all : kept, isLastResort, until };
}

function leaveOut(lines: readonly number[], excluded: Excluded): readonly number[] {
  return excluded.size === 0 ? lines : lines.filter((line) => !excluded.has(line));
}
