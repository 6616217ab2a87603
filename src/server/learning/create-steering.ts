import type { Area } from './area.ts';
import { type Steps, takeSteps } from '../process/create-step-watch.ts';
import { createBeliefReader } from './belief.ts';
import type { Counts } from './counts.ts';
import { createDoubts } from './create-doubts.ts';
import type { MemoryLimits } from './forget-least-useful.ts';
import { countryPlaceOf } from './losses/places.ts';
import { createGauss } from './create-gauss.ts';
import {
  type Knowledge,
  REACHED_LATELY_MS,
  alignKnowledge,
  createKnowledge,
  findReachedAt,
  foldWindow,
  normalize,
} from './knowledge.ts';
import {
  type Offer as PickOffer,
  type PickDeps,
  drawLines,
  includeLine,
  pickLines,
  shortlistLines,
} from './pick-lines.ts';
import { createIsKept, findLnLoads, findOdds } from './score.ts';

/** What the steering needs to know of a line. */
export type SteeredLine = { readonly id: string; readonly weight: number };

export type SteeringMode = 'measured' | 'uniform';

/** Why a line is, or is not, handed out in an area. */
export type LineScore = {
  readonly id: string;
  readonly isUp: boolean;
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

/** Lines that a visitor may not be handed, by their index: a set, or a map with the reasons. */
export type Excluded = { readonly size: number; readonly has: (line: number) => boolean };

/** What one visitor's pick must keep to. */
export type PickLimits = {
  readonly excluded?: Excluded;
  /** The line that they entered last, by its index: it is among the four if it is about as good as the best. */
  readonly held?: number | undefined;
};

export type Steering = {
  /** At most four lines for a visitor of this area, by their index. */
  readonly pick: (area: Area, limits?: PickLimits) => readonly number[];
  /** Picks as for a visitor, but hands nothing out: lines in doubt are not asked for. */
  readonly draw: (area: Area, excluded?: Excluded) => readonly number[];
  /** Learns from a window of counts that ended at this time. */
  readonly fold: (counts: Counts, at: number) => void;
  /** The same step by step. Picks in between know a part of it. One fold at a time. */
  readonly foldInSteps: (counts: Counts, at: number) => Steps<void>;
  /** Takes over the lines of a new site folder, if they have changed. Keeps what was learned of the lines that stay. */
  readonly setLines: (lines: readonly SteeredLine[], mode: SteeringMode) => void;
  /** How likely each of the lines that were picked for an area is to be entered; they sum to 1. */
  readonly shareOut: (area: Area, picked: readonly number[]) => readonly number[];
  /**
   * Leaves out lines that the server sees down, unless visitors still reach them, or no line would be left. That visitors
   * reach a line whose application is dead does not count: they reach its speed check.
   */
  readonly setDown: (ids: ReadonlySet<string>, dead?: ReadonlySet<string>) => void;
  readonly explain: (area: Area, excluded?: Excluded) => readonly LineScore[];
  /** The areas of which something is known, the most recently seen first. */
  readonly areas: () => readonly Area[];
  readonly knowledge: () => Knowledge;
  readonly restore: (knowledge: Knowledge) => void;
};

const NONE: Excluded = new Set();

type Offer = PickOffer & {
  /** Whether a visitor who entered a line last is handed it again. */
  readonly isKept: (line: number) => boolean;
};

/** Learns which lines do well in which area, and picks four of them for each visitor, see docs/steering.md. */
export function createSteering({
  random,
  now,
  memory,
}: {
  readonly random: () => number;
  readonly now: () => number;
  readonly memory?: MemoryLimits | undefined;
}): Steering {
  const gauss = createGauss(random);
  const doubts = createDoubts();
  let lines: readonly SteeredLine[] = [];
  let mode: SteeringMode = 'measured';
  let weights: readonly number[] = [];
  let knowledge = createKnowledge([], weights, now());
  let down: ReadonlySet<string> = new Set();
  let dead: ReadonlySet<string> = new Set();
  let candidates: readonly number[] = [];
  // Some lines are down, but kept because visitors reached them. At this time the first of them must be checked again.
  let keptUntil = Infinity;
  let lnLoads: readonly number[] = [];
  // After a fold, these are computed when somebody first asks for them.
  let beliefs = createBeliefReader(knowledge);
  const offers = new Map<Area, Offer>();
  // The rest of a fold that was begun.
  let folding: Steps<void> | undefined;

  return {
    pick: (area, { excluded = NONE, held } = {}) => {
      const offer = findOffer(area, excluded);
      const picked = pickOf(offer, (best) => askDoubted(area, offer, best));
      return held !== undefined && offer.isKept(held) ? includeLine(picked, held) : picked;
    },
    draw: (area, excluded = NONE) => pickOf(findOffer(area, excluded)),
    shareOut: (area, picked) => {
      const believed = beliefs.ofArea(area);
      const odds = picked.map((line) => findOdds(believed, line));
      const sum = odds.reduce((total, each) => total + each, 0);
      return odds.map((each) => each / sum);
    },
    fold: (counts, at) => takeSteps(fold(counts, at)),
    foldInSteps: (counts, at) => {
      finishFold();
      return (folding = fold(counts, at));
    },
    setLines: (given, givenMode) => {
      if (given === lines && givenMode === mode) return;
      finishFold();
      lines = given;
      mode = givenMode;
      weights = normalize(lines.map(({ weight }) => weight));
      restore(knowledge);
    },
    setDown: (ids, deadIds = new Set()) => {
      down = ids;
      dead = deadIds;
      forgetConclusions();
    },
    explain: (area, excluded = NONE) => {
      const { reach, lnMs, score } = beliefs.ofArea(area);
      const isKept = createIsKept(leaveOut(candidates, excluded), { score, lnLoads });
      return lines.map(({ id }, line) => ({
        id,
        isUp: !down.has(id),
        reach: reach[line] ?? 0,
        timeMs: Math.exp(lnMs[line] ?? 0),
        loadFactor: Math.exp(lnLoads[line] ?? 0),
        effectiveMs: Math.exp((score[line] ?? 0) + (lnLoads[line] ?? 0)),
        isKept: isKept(line),
      }));
    },
    areas: () => [...knowledge.areas.keys()].toReversed(),
    knowledge: () => knowledge,
    restore: (given) => {
      finishFold();
      restore(given);
    },
  };

  function* fold(counts: Counts, at: number): Steps<void> {
    const areas = yield* foldWindow(knowledge, counts, at, memory);
    yield* doubts.note(knowledge.losses, areas, knowledge.at);
    folding = undefined;
    forgetConclusions();
  }

  /** Lines must not change in the middle of a fold. */
  function finishFold(): void {
    if (folding !== undefined) takeSteps(folding);
  }

  function pickOf(offer: Offer, askDoubted?: PickDeps['askDoubted']): readonly number[] {
    return mode === 'uniform'
      ? drawLines(offer.candidates, weights, random)
      : pickLines(offer, { random, gauss, askDoubted });
  }

  /** The line in doubt that a visitor is asked to try: one that they may be handed, and that was not picked already. */
  function askDoubted(area: Area, offer: Offer, picked: readonly number[]): number | undefined {
    const asked = doubts.ask(area, (id) => {
      const line = findLine(id);
      return offer.candidates.includes(line) && !picked.includes(line);
    });
    return asked === undefined ? undefined : findLine(asked);
  }

  function findLine(id: string): number {
    return knowledge.lineIds.indexOf(id);
  }

  function restore(given: Knowledge): void {
    knowledge = alignKnowledge(
      given,
      lines.map(({ id }) => id),
      weights,
    );
    forgetConclusions();
  }

  function forgetConclusions(): void {
    beliefs = createBeliefReader(knowledge);
    offers.clear();
    lnLoads = findLnLoads(knowledge.shares, weights);
    keptUntil = Infinity;
    const all = lines.map((_, line) => line);
    const kept = lines.flatMap(({ id }, line) =>
      !down.has(id) || (!dead.has(id) && isStillReached(id)) ? [line] : [],
    );
    candidates = kept.length === 0 ? all : kept;
  }

  /** Whether visitors reach a line that the server sees down. Notes when that has to be asked again. */
  function isStillReached(lineId: string): boolean {
    const reachedUntil = findReachedAt(knowledge, lineId, now()) + REACHED_LATELY_MS;
    if (reachedUntil <= now()) return false;
    keptUntil = Math.min(keptUntil, reachedUntil);
    return true;
  }

  function findOffer(area: Area, excluded: Excluded): Offer {
    if (now() >= keptUntil) forgetConclusions();
    const known = findKnownArea(area);
    // Each visitor may have exclusions of their own, so only what is offered to those without is kept.
    if (excluded.size > 0) return makeOffer(leaveOut(candidates, excluded), known);
    let offer = offers.get(known);
    if (offer === undefined) offers.set(known, (offer = makeOffer(candidates, known)));
    return offer;
  }

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

function leaveOut(lines: readonly number[], excluded: Excluded): readonly number[] {
  return excluded.size === 0 ? lines : lines.filter((line) => !excluded.has(line));
}
