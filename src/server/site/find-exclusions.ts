import type { SiteLine } from './line-table.ts';
import { findMaintenance } from './time-windows.ts';

/** Why a visitor is not handed a line. */
export type Exclusion = 'maintenance';

/** Finds the lines that a visitor may not be handed now, each with its reason, by their place in the list. */
export function findExclusions(lines: readonly SiteLine[], at: number): ReadonlyMap<number, Exclusion> {
  const exclusions = new Map<number, Exclusion>();
  for (const [place, line] of lines.entries()) {
    const exclusion = findExclusion(line, at);
    if (exclusion !== undefined) exclusions.set(place, exclusion);
  }
  return exclusions;
}

/** Finds why a visitor may not be handed a line now. Undefined if they may. */
function findExclusion({ maintenance }: SiteLine, at: number): Exclusion | undefined {
  return findMaintenance(maintenance, at) && 'maintenance';
}
