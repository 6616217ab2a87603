import type { LineStatus, StateRun } from '../../contract/console.ts';

/** The size of the picture, in its own units. A step is a cell and the gap behind it. */
export const STRIP = { step: 4, cell: 3, height: 20 } as const;

/** Top and height of a cell. Each state has its own, so that its colour is never the only sign: the lower, the worse. */
const CELLS: Readonly<Record<LineStatus, readonly [top: number, height: number]>> = {
  up: [0, 20],
  degraded: [9, 11],
  down: [15, 5],
  maintenance: [6, 8],
  unknown: [18, 2],
};

/** How many cells a picture of them has. */
export function countCells(states: readonly StateRun[]): number {
  return states.reduce((sum, { minutes }) => sum + minutes, 0);
}

export type StatePath = { readonly status: LineStatus; readonly path: string };

/** Draws one path for each state that occurs. */
export function drawStates(states: readonly StateRun[]): readonly StatePath[] {
  const paths = new Map<LineStatus, string>();
  let minute = 0;
  for (const { status, minutes } of states) {
    const [top, height] = CELLS[status];
    let path = paths.get(status) ?? '';
    for (const end = minute + minutes; minute < end; minute += 1)
      path += `M${minute * STRIP.step} ${top}h${STRIP.cell}v${height}h-${STRIP.cell}z`;
    paths.set(status, path);
  }
  return [...paths].map(([status, path]) => ({ status, path }));
}

/** Minutes in trouble, the oldest first. They are counted from the start of the strip. */
export type Trouble = {
  readonly status: 'down' | 'degraded';
  readonly from: number;
  readonly minutes: number;
};

export function listTroubles(states: readonly StateRun[]): readonly Trouble[] {
  const troubles: Trouble[] = [];
  let from = 0;
  for (const { status, minutes } of states) {
    if (status === 'down' || status === 'degraded') troubles.push({ status, from, minutes });
    from += minutes;
  }
  return troubles;
}

/** The state in one minute, counted from the start of the strip. */
export function readState(states: readonly StateRun[], minute: number): LineStatus {
  let end = 0;
  return states.find(({ minutes }) => minute < (end += minutes))?.status ?? 'unknown';
}
