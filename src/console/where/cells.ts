import type { ConsoleCell, ConsoleNetworks, LineStatus } from '../../contract/console.ts';
import { GOOD_REACH } from './reach-scale.ts';

/** A place in the heat map: which network, and which line, by their index. */
export type CellPlace = { readonly network: number; readonly line: number };

/** Reads the cell at a place of the map. Undefined outside of the map. */
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

export type CellGrade = 'none' | 'good' | 'poor' | 'failing';

/** Grades how a line does in a network. */
export function gradeCell({
  reached,
  lost,
  failingSince,
}: Pick<ConsoleCell, 'reached' | 'lost' | 'failingSince'>): CellGrade {
  if (reached + lost === 0) return 'none';
  if (failingSince !== null) return 'failing';
  return reached / (reached + lost) >= GOOD_REACH ? 'good' : 'poor';
}

/** The status mark of each grade. */
export const GRADE_MARKS = {
  none: 'unknown',
  good: 'up',
  poor: 'degraded',
  failing: 'down',
} as const satisfies Record<CellGrade, LineStatus>;

export type Failure = {
  readonly host: string;
  readonly network: string;
  readonly since: number;
  readonly place: CellPlace;
};

/** Lists which line fails where, the latest first, because new failures need attention. */
export function listFailures({ lines, networks }: ConsoleNetworks): readonly Failure[] {
  return networks
    .flatMap(({ name, failingSince }, network) =>
      failingSince.flatMap((since, line) =>
        since === null
          ? []
          : [{ host: lines[line]?.host ?? '', network: name, since, place: { network, line } }],
      ),
    )
    .toSorted((a, b) => b.since - a.since);
}

const STEPS: Readonly<Record<string, CellPlace>> = {
  ArrowUp: { network: -1, line: 0 },
  ArrowDown: { network: 1, line: 0 },
  ArrowLeft: { network: 0, line: -1 },
  ArrowRight: { network: 0, line: 1 },
  PageUp: { network: -10, line: 0 },
  PageDown: { network: 10, line: 0 },
  Home: { network: 0, line: -Infinity },
  End: { network: 0, line: Infinity },
};

/** Moves a place by a key. Undefined for a key that moves nothing. */
export function movePlace(
  key: string,
  { network, line }: CellPlace,
  size: { readonly networks: number; readonly lines: number },
): CellPlace | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  return {
    network: clamp(network + step.network, size.networks),
    line: clamp(line + step.line, size.lines),
  };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

/** Whether all visitors may be handed a line. */
export function isForAll({
  status,
  rules,
}: Pick<ConsoleNetworks['lines'][number], 'status' | 'rules'>): boolean {
  return status !== 'maintenance' && rules.length === 0;
}
