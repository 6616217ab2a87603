import type { ReactNode } from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { formatHost, formatNetwork } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import styles from './cell-detail.module.css';
import { type CellPlace, GRADE_MARKS, gradeCell, readCell } from './cells.ts';
import { useWhereTexts } from './texts.ts';

/** The numbers of the chosen cell. */
export function CellDetail({
  data,
  place,
}: {
  readonly data: ConsoleNetworks;
  readonly place: CellPlace;
}): ReactNode {
  const { texts, format } = useLocale();
  const whereTexts = useWhereTexts();
  const line = data.lines[place.line];
  const cell = readCell(data, place);
  if (line === undefined || cell === undefined) return null;
  const grade = gradeCell(cell);
  return (
    <Panel title={formatHost(line.host)} note={formatNetwork(cell.network, texts)} id="cell">
      {/* Said when the frame moves, or the grade changes. The numbers below change with every visit. */}
      <p className="visually-hidden" role="status">
        {whereTexts.mapPlace(formatHost(line.host), formatNetwork(cell.network, texts), texts.cell[grade])}
      </p>
      <div className={styles.cell} data-grade={grade}>
        <p className={styles.grade}>
          <StatusMark
            status={GRADE_MARKS[grade]}
            label={
              cell.failingSince === null ? (
                texts.cell[grade]
              ) : (
                <Clock time={cell.failingSince} now={data.at} write={texts.failsSince} />
              )
            }
          />
        </p>
        <p>
          {grade === 'none'
            ? whereTexts.cellEmpty
            : whereTexts.cellNumbers(
                format.part(cell.reached, cell.reached + cell.lost),
                format.fadedCount(cell.reached + cell.lost),
              )}
          {cell.timeMs !== null && whereTexts.cellTime(format.ms(cell.timeMs))}
        </p>
      </div>
      <p className={styles.links}>
        <a href={hrefOf({ view: 'line', id: line.id })}>{texts.openLine}</a>
        <a href={hrefOf({ view: 'why', network: cell.network })}>{whereTexts.openWhy}</a>
      </p>
    </Panel>
  );
}
