import { type Area, countryOf, createArea, networkIn } from '../area.ts';
import type { SeenByVoter } from '../view.ts';

// A place is a network, a country (an area without a network, such as `GB/`), or everywhere.

/** What was seen in a window. Areas, voters and lines are in the order of their names: the last bits of a sum depend on it. */
export type SeenByArea = readonly (readonly [Area, SeenByVoter])[];

export const EVERYWHERE: Area = createArea(undefined, '');

/**
 * A sender in many networks makes evidence for each network and line. Ten reports of a /24 count in five minutes, but there are 65,536
 * networks of IPv4 alone, so the evidence is bounded. That of a place takes about 0.5 KB.
 */
const MAX_PLACES = 25_000;
const MAX_PLACES_OF_LINE = 10_000;

/** A network, and the country that it is in: the networks of a country may each have too few visitors to tell. */
export function listPlaces(area: Area): readonly Area[] {
  return countryOf(area) === undefined ? [area] : [area, countryPlaceOf(area)];
}

/** The country of a network. Everywhere if it is not known. */
export function countryPlaceOf(area: Area): Area {
  return createArea(countryOf(area), '');
}

export function isNetwork(place: Area): boolean {
  return networkIn(place) !== '';
}

/** Whether a place is another one, or in it: that one may be a whole country, such as `GB/`. */
export function isWithin(place: Area, other: Area): boolean {
  return place === other || (!isNetwork(other) && countryOf(place) === countryOf(other));
}

/** How many places are kept of each line. */
export function limitPlaces(lines: number): number {
  return Math.min(MAX_PLACES_OF_LINE, Math.floor(MAX_PLACES / Math.max(1, lines)));
}
