import type { ReactNode } from 'react';
import type { ConsoleCell } from '../../contract/console.ts';
import { formatFadedCount, formatMs, formatPart } from '../format/format-number.ts';
import { formatNetwork } from '../format/format-names.ts';
import { formatClock } from '../format/format-time.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { GRADE_MARKS, gradeCell } from '../where/cells.ts';
import styles from './side-lists.module.css';

/** The networks in which the line does worst. */
export function WorstNetworks({
  networks,
  now,
}: {
  readonly networks: readonly ConsoleCell[];
  readonly now: number;
}): ReactNode {
  return (
    <Panel title={TEXTS.worstNetworks} id="worst-networks">
      {networks.length === 0 ? (
        <Empty>{TEXTS.noNetworks}</Empty>
      ) : (
        <ul className={styles.networks}>
          {networks.map((cell) => {
            const grade = gradeCell(cell);
            const since = cell.failingSince;
            return (
              <li key={cell.network}>
                <a href={hrefOf({ view: 'why', network: cell.network })}>{formatNetwork(cell.network)}</a>
                <StatusMark
                  status={GRADE_MARKS[grade]}
                  label={since === null ? TEXTS.cell[grade] : TEXTS.failsSince(formatClock(since, now))}
                />
                <span className={styles.note}>
                  {TEXTS.ofTries(
                    formatPart(cell.reached, cell.reached + cell.lost),
                    formatFadedCount(cell.reached + cell.lost),
                  )}
                  {cell.timeMs !== null && `, ${formatMs(cell.timeMs)}`}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
