import { type Area, countryOf, createArea } from '../area.ts';
import type { SeenByVoter } from '../view.ts';

/** What was seen in a window: areas in the order of their names. */
export type SeenByArea = readonly (readonly [Area, SeenByVoter])[];

/** A network, and the country that it is in: the networks of a country may each have too few visitors to tell. */
export function listPlaces(area: Area): readonly Area[] {
  const country = countryOf(area);
  return country === undefined ? [area] : [area, createArea(country, '')];
}
