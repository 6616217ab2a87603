import type { ConsoleLine } from '../../contract/console.ts';

/** The lines in an order that was shown before; those that are new come last. */
export function keepOrder(
  lines: readonly ConsoleLine[],
  shownIds: readonly string[],
): readonly ConsoleLine[] {
  const places = new Map(shownIds.map((id, place) => [id, place]));
  const placeOf = ({ id }: ConsoleLine): number => places.get(id) ?? places.size;
  return lines.toSorted((a, b) => placeOf(a) - placeOf(b));
}
