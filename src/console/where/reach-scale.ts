import { contrast, mix } from '../../contract/site/colours.ts';

/** The colour of a cell, and that of the number on it. */
export type ReachColour = { readonly fill: string; readonly ink: string };

/** The colours of both ends of the scale, and of four fifths. */
export type ReachStops = { readonly all: string; readonly most: string; readonly none: string };

/** From here on, a line is reached well. */
export const GOOD_REACH = 0.9;
/** The part that `most` stands for. */
const MOST = 0.8;
const BLACK = '#000000';
const WHITE = '#ffffff';

/**
 * A colour for each percent of reach, from 0 to 100. A cell that is reached well is pale, and one that is lost stands out. They
 * also differ in lightness, so that the map can be read without colours.
 */
export function createReachScale({ all, most, none }: ReachStops): readonly ReachColour[] {
  return Array.from({ length: 101 }, (_, percent) => {
    const reach = percent / 100;
    const fill = reach >= MOST ? mix(most, all, (reach - MOST) / (1 - MOST)) : mix(none, most, reach / MOST);
    return { fill, ink: contrast(fill, BLACK) > contrast(fill, WHITE) ? BLACK : WHITE };
  });
}
