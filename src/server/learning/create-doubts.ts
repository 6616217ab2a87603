import { type Area, countryOf, createArea } from './area.ts';
import type { Counts } from './counts.ts';

/** Lines that somebody has just failed to reach, and of which nobody knows yet whether that was bad luck. */
export type Doubts = {
  /** Takes a window of counts that has closed. Only lines of the site are doubted. */
  readonly note: (counts: Pick<Counts, 'areas'>, lineIds: readonly string[], at: number) => void;
  /** The ids of the lines that the next visitor of an area should try, those of its network first. */
  readonly list: (area: Area) => readonly string[];
  /** Counts a visitor of an area who is handed one of these lines. */
  readonly spend: (area: Area, lineId: string) => void;
};

/** After a failure so many visitors are asked: most leave before a line that swallows what is sent has failed. */
const ASKS = 12;
/** After so many failures without a success, visitors are known to lose the line, and nobody is asked any more. */
const FAILURES_THAT_SETTLE = 6;
/** A failure this long ago says nothing about now. */
const FORGET_MS = 30 * 60_000;
/** More places than this are not doubted at a time: the oldest are forgotten. */
const MAX_PLACES = 2_000;

type Doubt = { failures: number; asks: number; failedAt: number };

/**
 * Remembers where a line has just failed, so that the wildcard asks for it again. Otherwise the steering moves visitors
 * away from the line at once, and it takes long until anybody knows what happened.
 */
export function createDoubts(): Doubts {
  /** By network and by country, by line id. */
  const places = new Map<Area, Map<string, Doubt>>();

  return {
    note: ({ areas }, lineIds, at) => {
      const listed = new Set(lineIds);
      for (const [area, voters] of areas) {
        for (const place of listPlaces(area)) {
          for (const seen of voters.values()) {
            for (const [lineId, { reached, lost }] of seen) {
              if (listed.has(lineId)) noteLine(place, lineId, { reached, lost, at });
            }
          }
        }
      }
      for (const [place, doubts] of places) {
        for (const [lineId, { failedAt }] of doubts) if (failedAt < at - FORGET_MS) doubts.delete(lineId);
        if (doubts.size === 0) places.delete(place);
      }
      for (const place of places.keys()) {
        if (places.size <= MAX_PLACES) break;
        places.delete(place);
      }
    },
    list: (area) => {
      const ids: string[] = [];
      for (const place of listPlaces(area)) {
        for (const [lineId, { asks }] of places.get(place) ?? []) if (asks > 0) ids.push(lineId);
      }
      return ids;
    },
    spend: (area, lineId) => {
      const found = listPlaces(area).map((place) => places.get(place)?.get(lineId));
      const doubt = found.find((each) => each !== undefined && each.asks > 0);
      if (doubt) doubt.asks -= 1;
    },
  };

  function noteLine(
    place: Area,
    lineId: string,
    { reached, lost, at }: { readonly reached: number; readonly lost: number; readonly at: number },
  ): void {
    const known = places.get(place)?.get(lineId);
    if (reached > 0) {
      if (known) Object.assign(known, { failures: 0, asks: Math.floor(known.asks / 2) });
      return;
    }
    if (lost === 0) return;
    const failures = (known?.failures ?? 0) + 1;
    let doubts = places.get(place);
    if (doubts === undefined) places.set(place, (doubts = new Map()));
    doubts.set(lineId, { failures, asks: failures < FAILURES_THAT_SETTLE ? ASKS : 0, failedAt: at });
  }
}

/** A network, and the country that it is in: a line may be lost in either. */
function listPlaces(area: Area): readonly Area[] {
  const country = countryOf(area);
  return country === undefined ? [area] : [area, createArea(country, '')];
}
