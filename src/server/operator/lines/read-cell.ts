import type { Area } from '../../learning/area.ts';
import type { Observation } from '../../learning/counts.ts';
import type { Knowledge } from '../../learning/knowledge.ts';
import { findLossSince } from '../../learning/losses/judge-losses.ts';
import { sumVotes } from '../../learning/view.ts';
import { findBelieved } from '../../lines/line-state.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import type { ConsoleSources } from '../console-sources.ts';

/** What the visitors of one area have seen of a line. Old tries fade, so that the counts are not whole. */
export type Cell = Observation & {
  /** Since when they lose it, in ms; undefined if they do not. */
  readonly failingSince: number | undefined;
};

export type CellReader = {
  readonly knowledge: Pick<Knowledge, 'at' | 'areas' | 'losses'>;
  /** When the server saw a line come back; 0 if it never did. */
  readonly findRecovery: (lineId: string) => number;
};

/** If less than this is left of the tries, they are not shown. */
const MIN_TRIES = 0.5;
/** The geometric mean of fewer times than this, all faded, is noise. */
const MIN_TIMES = 0.5;

export function createCellReader({ steering, lineWatch }: ConsoleSources): CellReader {
  const states = findBelieved(lineWatch);
  return {
    knowledge: steering.knowledge(),
    findRecovery: (lineId) => states?.get(lineId)?.recoveredAt ?? 0,
  };
}

/** Reads what is known of a line in an area; undefined where that is nothing, or too long ago. */
export function readCell(
  { knowledge, findRecovery }: CellReader,
  { area, lineId }: { readonly area: Area; readonly lineId: string },
): Cell | undefined {
  const { at, areas, losses } = knowledge;
  const view = areas.get(area);
  if (view === undefined) return undefined;
  const seen = sumVotes(view, lineId, at);
  if (seen.reached + seen.lost < MIN_TRIES) return undefined;
  const recoveredAt = findRecovery(lineId);
  return { ...seen, failingSince: findLossSince(losses, { area, lineId }, { recoveredAt }) };
}

/** What the visitors of an area have seen of all lines together. */
export type AreaSum = {
  readonly area: Area;
  /** The lines that they lose. */
  readonly failing: readonly string[];
  readonly tries: number;
  readonly lost: number;
};

/** Adds up every area, step by step: there may be thousands. */
export function* sumAreas(reader: CellReader): Steps<readonly AreaSum[]> {
  const { areas } = reader.knowledge;
  const sums: AreaSum[] = [];
  for (const [area, { lines }] of areas) {
    const failing: string[] = [];
    let [tries, lost] = [0, 0];
    for (const lineId of lines.keys()) {
      const cell = readCell(reader, { area, lineId });
      if (cell === undefined) continue;
      if (cell.failingSince !== undefined) failing.push(lineId);
      tries += cell.reached + cell.lost;
      lost += cell.lost;
    }
    if (tries > 0) sums.push({ area, failing, tries, lost });
    yield;
  }
  return sums;
}

/** The geometric mean of the times of a cell, in whole ms; null where too few are known. */
export function findMeanMs({ times, sumLnMs }: Cell): number | null {
  return times < MIN_TIMES ? null : Math.round(Math.exp(sumLnMs / times));
}
