import { findOrAdd } from '../process/find-or-add.ts';
import { forgetOldest } from '../process/forget-oldest.ts';
import type { Area } from './area.ts';
import { type Losses, isInDoubt } from './losses/judge-losses.ts';
import { type SeenByArea, listPlaces } from './losses/places.ts';

/** Lines that somebody has just failed to reach, and of which nobody knows yet whether that was bad luck. */
export type Doubts = {
  /** Takes a window of counts that was folded into these losses, step by step. */
  readonly note: (losses: Losses, areas: SeenByArea, at: number) => Generator<void, void>;
  /**
   * Finds a line in doubt that a visitor of an area should try, and counts that the visitor was asked. Lines in doubt in the
   * network come before those in doubt in the country. Lines that the visitor cannot have are skipped.
   */
  readonly ask: (area: Area, canHave: (lineId: string) => boolean) => string | undefined;
};

/** After a failure twelve visitors are asked: most leave before a line that swallows what is sent has failed. */
const ASKS = 12;
/** More places than this are not asked at a time: the oldest are forgotten. */
const MAX_PLACES = 2_000;

/**
 * Remembers where a line has just failed, so that the wildcard asks for it again. Otherwise the steering moves visitors
 * away from the line at once, and it takes long until anybody knows what happened.
 */
export function createDoubts(): Doubts {
  /** How many visitors are still asked, by network and by country, by line id. */
  const places = new Map<Area, Map<string, number>>();

  return {
    note: function* (losses, areas, at) {
      for (const [area, voters] of areas) {
        for (const seen of voters.values()) {
          for (const [lineId, { reached, lost }] of seen) {
            if (reached > 0) halve(area, lineId);
            else if (lost > 0) askAgain(area, lineId);
          }
        }
        yield;
      }
      for (const [place, asks] of places) {
        for (const lineId of asks.keys()) if (!isInDoubt(losses, { place, lineId }, at)) asks.delete(lineId);
        if (asks.size === 0) places.delete(place);
        yield;
      }
      forgetOldest(places, MAX_PLACES);
    },
    ask: (area, canHave) => {
      for (const place of listPlaces(area)) {
        const asks = places.get(place);
        for (const [lineId, left] of asks ?? []) {
          if (!canHave(lineId)) continue;
          setAsks(asks, lineId, left - 1);
          return lineId;
        }
      }
      return undefined;
    },
  };

  function halve(area: Area, lineId: string): void {
    for (const place of listPlaces(area)) {
      const asks = places.get(place);
      const left = asks?.get(lineId);
      if (left !== undefined) setAsks(asks, lineId, Math.floor(left / 2));
    }
  }

  function askAgain(area: Area, lineId: string): void {
    for (const place of listPlaces(area)) findOrAdd(places, place, () => new Map()).set(lineId, ASKS);
  }
}

function setAsks(asks: Map<string, number> | undefined, lineId: string, left: number): void {
  if (left > 0) asks?.set(lineId, left);
  else asks?.delete(lineId);
}
