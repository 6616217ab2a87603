import type { ReactNode } from 'react';
import type { ConsoleCell } from '../../contract/console.ts';
import { formatNetwork } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import { GRADE_MARKS, gradeCell } from '../where/cells.ts';
import kit from '../parts/view.module.css';
import styles from './side-lists.module.css';

/** The networks in which the line does worst. */
export function WorstNetworks({
  networks,
  now,
}: {
  readonly networks: readonly ConsoleCell[];
  readonly now: number;
}): ReactNode {
  const { texts } = useLocale();
  return (
    <Panel title={texts.worstNetworks} id="worst-networks">
      {networks.length === 0 ? (
        <Empty>{texts.noWorstNetworks}</Empty>
      ) : (
        <ul className={styles.networks}>
          {networks.map((cell) => (
            <NetworkItem key={cell.network} cell={cell} now={now} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function NetworkItem({ cell, now }: { readonly cell: ConsoleCell; readonly now: number }): ReactNode {
  const { texts, format } = useLocale();
  const { network, reached, lost, timeMs, failingSince } = cell;
  const grade = gradeCell(cell);
  const part = format.part(reached, reached + lost);
  const tries = format.fadedCount(reached + lost);
  return (
    <li>
      <a href={hrefOf({ view: 'why', network })}>{formatNetwork(network, texts)}</a>
      <StatusMark
        status={GRADE_MARKS[grade]}
        label={
          failingSince === null ? (
            texts.cell[grade]
          ) : (
            <Clock time={failingSince} now={now} write={texts.failsSince} />
          )
        }
      />
      <span className={`${kit.note} ${styles.tries}`}>
        {timeMs === null ? texts.ofTries(part, tries) : texts.ofTimedTries(part, tries, format.ms(timeMs))}
      </span>
    </li>
  );
}
