import type { ReactNode } from 'react';
import {
  type ConsoleUptime,
  type LineHistory,
  WHOLE_SITE,
  percentOfProbes,
  percentOfVisitors,
  writePercent,
} from '../../contract/uptime.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { HostName } from '../parts/host-name.tsx';
import { NumberTable } from '../parts/number-table.tsx';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';

export type HistoryTableProps = {
  readonly numbers: ConsoleUptime;
  /** The chosen one. */
  readonly line: string;
  readonly onChoose: (line: string) => void;
};

/** The site and its lines, with what visitors met, what the server saw, and what was wrong. */
export function HistoryTable({ numbers, line: chosen, onChoose }: HistoryTableProps): ReactNode {
  const texts = useHistoryTexts();
  const { format, language } = useLocale();
  const minutes = Math.floor((numbers.at - numbers.from) / MINUTE_MS);
  const write = (ms: number | null): string => (ms === null ? NO_DATA : writeDuration(ms, language));
  return (
    <div className={styles.scroll}>
      <NumberTable
        columns={[
          { name: texts.line },
          { name: texts.visitors },
          { name: texts.known, isWide: true },
          { name: texts.probe },
          { name: texts.incidents },
          { name: texts.total, isWide: true },
          { name: texts.longest, isWide: true },
          { name: texts.taken, isWide: true },
        ]}
        rows={numbers.all.map(({ line, role, sums, incidents }) => {
          const { count, totalMs, longestMs, taken, takenAfterMs } = incidents;
          return {
            key: `${role} ${line}`,
            name: (
              <LineName line={line} role={role} isChosen={line === chosen} onChoose={() => onChoose(line)} />
            ),
            isChosen: line === chosen,
            cells: [
              <Percent percent={percentOfVisitors(sums)} ifNone={texts.noVisits} />,
              texts.ofMinutes(format.count(sums.known + sums.leftOut), format.count(minutes)),
              <Percent percent={percentOfProbes(sums)} ifNone={NO_DATA} />,
              format.count(count),
              count === 0 ? NO_DATA : write(totalMs),
              write(longestMs),
              takenAfterMs === null
                ? NO_DATA
                : texts.takenOf(write(takenAfterMs), format.count(taken), format.count(count)),
            ],
          };
        })}
      />
    </div>
  );
}

function LineName({
  line,
  role,
  isChosen,
  onChoose,
}: Pick<LineHistory, 'line' | 'role'> & {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const texts = useHistoryTexts();
  return (
    <>
      <button className={styles.line} type="button" aria-pressed={isChosen} onClick={onChoose}>
        {line === WHOLE_SITE ? texts.site : <HostName host={line} />}
      </button>
      {role === 'backup' && <span className={styles.role}>{texts.backup}</span>}
      {role === 'gone' && <span className={styles.role}>{texts.gone}</span>}
    </>
  );
}

/** Below this, a month had more than seven hours without the line. */
const GOOD_PERCENT = 99;

function Percent({
  percent,
  ifNone,
}: {
  readonly percent: number | undefined;
  readonly ifNone: string;
}): ReactNode {
  const texts = useHistoryTexts();
  if (percent === undefined) return <span className={styles.none}>{ifNone}</span>;
  return (
    <span className={styles.percent} data-bad={percent < GOOD_PERCENT || undefined}>
      {texts.percent(writePercent(percent))}
    </span>
  );
}
