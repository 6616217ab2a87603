import { type PointerEvent, type ReactNode, useState } from 'react';
import type { StateRun } from '../../contract/console.ts';
import styles from './cell-strip.module.css';
import { STRIP, countCells, drawStates } from './draw-states.ts';

type CellStripProps = {
  /** Each of their minutes is a cell. Where a cell is a day, a day stands for a minute. */
  readonly states: readonly StateRun[];
  /** All of it in words. */
  readonly label: string;
  /** Writes a cell in words. */
  readonly write: (cell: number) => string;
};

/** Times in a row, one cell each. The pointer shows a cell in words. */
export function CellStrip({ states, label, write }: CellStripProps): ReactNode {
  const [pointed, setPointed] = useState<number>();
  const cells = countCells(states);
  return (
    <span
      className={styles.strip}
      role="img"
      aria-label={label}
      onPointerMove={(event) => setPointed(findCell(event, cells))}
      onPointerLeave={() => setPointed(undefined)}
    >
      <Cells states={states} />
      {pointed !== undefined && (
        <span className={styles.tip} data-late={pointed > cells / 2 || undefined} aria-hidden="true">
          {write(pointed)}
        </span>
      )}
    </span>
  );
}

/** What such cells look like, for a legend. */
export function CellSample({ status }: Pick<StateRun, 'status'>): ReactNode {
  return (
    <span className={styles.sample}>
      <Cells states={[{ status, minutes: 3 }]} />
    </span>
  );
}

function Cells({ states }: Pick<CellStripProps, 'states'>): ReactNode {
  const width = Math.max(1, countCells(states) * STRIP.step - (STRIP.step - STRIP.cell));
  return (
    <svg viewBox={`0 0 ${width} ${STRIP.height}`} preserveAspectRatio="none" aria-hidden="true">
      {drawStates(states).map(({ status, path }) => (
        <path key={status} data-status={status} d={path} />
      ))}
    </svg>
  );
}

function findCell({ clientX, currentTarget }: PointerEvent, cells: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(cells - 1, Math.max(0, Math.floor(((clientX - left) / width) * cells)));
}
