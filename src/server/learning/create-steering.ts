import { type Steps, takeSteps } from '../process/create-step-watch.ts';
import type { Area } from './area.ts';
import type { Counts } from './counts.ts';
import { createDoubts } from './create-doubts.ts';
import { createGauss } from './create-gauss.ts';
import {
  type Excluded,
  type LineScore,
  type Offer,
  type Offers,
  type SteeredLine,
  createOffers,
} from './create-offers.ts';
import type { MemoryLimits } from './forget-least-useful.ts';
import { type Knowledge, alignKnowledge, createKnowledge, foldWindow, normalize } from './knowledge.ts';
import { type PickDeps, drawLines, includeLine, pickLines } from './pick-lines.ts';

export type SteeringMode = 'measured' | 'uniform';

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
  let offers = makeOffers();
  // The rest of a fold that was begun.
  let folding: Steps<void> | undefined;

  return {
    pick: (area, { excluded = NONE, held } = {}) => {
      const offer = findOffer(area, excluded);
      const picked = pickOf(offer, (best) => askDoubted(area, offer, best));
      return held !== undefined && offer.isKept(held) ? includeLine(picked, held) : picked;
    },
    draw: (area, excluded = NONE) => pickOf(findOffer(area, excluded)),
    shareOut: (area, picked) => offers.shareOut(area, picked),
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
      offers = makeOffers();
    },
    explain: (area, excluded = NONE) => offers.explain(area, excluded),
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
    offers = makeOffers();
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
    offers = makeOffers();
  }

  function findOffer(area: Area, excluded: Excluded): Offer {
    if (now() >= offers.until) offers = makeOffers();
    return offers.find(area, excluded);
  }

  function makeOffers(): Offers {
    return createOffers({ knowledge, lines, weights, down, dead }, now());
  }
}
