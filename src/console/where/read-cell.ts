import type { ConsoleCell, ConsoleNetworks } from '../../contract/console.ts';

/** A place in the heat map: which network, and which line, by their index. */
export type CellPlace = { readonly network: number; readonly line: number };

/** What is known at a place of the map; undefined outside of it. */
export function readCell(
  { networks }: ConsoleNetworks,
  { network, line }: CellPlace,
): ConsoleCell | undefined {
  const row = networks[network];
  const reached = row?.reached[line];
  if (row === undefined || reached === undefined) return undefined;
  return {
    network: row.name,
    reached,
    lost: row.lost[line] ?? 0,
    timeMs: row.timeMs[line] ?? null,
    failingSince: row.failingSince[line] ?? null,
  };
}
