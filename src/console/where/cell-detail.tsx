import type { ReactNode } from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { formatHost, formatNetwork } from '../format/format-names.ts';
import { formatFadedCount, formatMs, formatPart } from '../format/format-number.ts';
import { formatClock } from '../format/format-time.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import { TEXTS } from '../texts.ts';
import styles from './cell-detail.module.css';
import { type CellPlace, GRADE_MARKS, gradeCell, readCell } from './cells.ts';

/** The numbers of the chosen cell. */
export function CellDetail({
  data,
  place,
}: {
  readonly data: ConsoleNetworks;
  readonly place: CellPlace;
}): ReactNode {
  const line = data.lines[place.line];
  const cell = readCell(data, place);
  if (line === undefined || cell === undefined) return null;
  const grade = gradeCell(cell);
  return (
    <Panel title={formatHost(line.host)} note={formatNetwork(cell.network)} id="cell">
      <div className={styles.cell} aria-live="polite" data-grade={grade}>
        <p className={styles.grade}>
          <StatusMark
            status={GRADE_MARKS[grade]}
            label={
              cell.failingSince === null
                ? TEXTS.cell[grade]
                : TEXTS.failsSince(formatClock(cell.failingSince, data.at))
            }
          />
        </p>
        <p>
          {grade === 'none'
            ? TEXTS.cellEmpty
            : TEXTS.cellNumbers(
                formatPart(cell.reached, cell.reached + cell.lost),
                formatFadedCount(cell.reached + cell.lost),
              )}
          {cell.timeMs !== null && TEXTS.cellTime(formatMs(cell.timeMs))}
        </p>
      </div>
      <p className={styles.links}>
        <a href={hrefOf({ view: 'line', id: line.id })}>{TEXTS.openLine}</a>
        <a href={hrefOf({ view: 'why', network: cell.network })}>{TEXTS.openWhy}</a>
      </p>
    </Panel>
  );
}
