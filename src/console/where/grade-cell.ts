import type { ConsoleCell } from '../../contract/console.ts';

export type CellGrade = 'none' | 'good' | 'poor' | 'failing';

const GOOD_REACH = 0.9;

/** How a line does in a network. */
export function gradeCell({
  reached,
  lost,
  failingSince,
}: Pick<ConsoleCell, 'reached' | 'lost' | 'failingSince'>): CellGrade {
  if (reached + lost === 0) return 'none';
  if (failingSince !== null) return 'failing';
  return reached / (reached + lost) >= GOOD_REACH ? 'good' : 'poor';
}
