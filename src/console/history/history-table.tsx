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
import badge from '../parts/badge.module.css';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';
import { GOOD_PERCENT, UptimeLegend, UptimeStrip } from './uptime-strip.tsx';

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
  const write = (ms: number | null): string => (ms === null ? NO_DATA : writeDuration(ms, language));
  return (
    <div className={styles.scroll}>
      <NumberTable
        className={styles.table}
        columns={[
          { name: texts.line },
          {
            name: numbers.stripDays === 1 ? texts.strip : texts.longStrip(format.count(numbers.stripDays)),
            isPicture: true,
          },
          { name: texts.visitors },
          { name: texts.known, isWide: true },
          { name: texts.probe },
          { name: texts.incidents },
          { name: texts.total, isWide: true },
          { name: texts.longest, isWide: true },
          { name: texts.taken, isWide: true },
        ]}
        rows={numbers.all.map(({ line, role, sums, strip, incidents }) => {
          const knownMinutes = sums.known + sums.leftOut;
          const { count, totalMs, longestMs, taken, takenAfterMs } = incidents;
          return {
            key: `${role} ${line}`,
            name: (
              <LineName line={line} role={role} isChosen={line === chosen} onChoose={() => onChoose(line)} />
            ),
            isChosen: line === chosen,
            cells: [
              <UptimeStrip strip={strip} numbers={numbers} />,
              <Percent percent={percentOfVisitors(sums)} minutes={knownMinutes} ifNone={texts.noVisits} />,
              knownMinutes === 0 ? NO_DATA : write(knownMinutes * MINUTE_MS),
              <Percent percent={percentOfProbes(sums)} minutes={sums.probed} ifNone={NO_DATA} />,
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
      <UptimeLegend />
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
      {role === 'backup' && <span className={badge.badge}>{texts.backup}</span>}
      {role === 'gone' && <span className={badge.badge}>{texts.gone}</span>}
    </>
  );
}

/** What is known for a shorter time than this says little, and is not set in bold. */
const FEW_MINUTES = 60;

function Percent({
  percent,
  minutes,
  ifNone,
}: {
  readonly percent: number | undefined;
  /** For how many minutes it is known. */
  readonly minutes: number;
  readonly ifNone: string;
}): ReactNode {
  const texts = useHistoryTexts();
  if (percent === undefined) return <span className={styles.none}>{ifNone}</span>;
  return (
    <span
      className={styles.percent}
      data-bad={percent < GOOD_PERCENT || undefined}
      data-few={minutes < FEW_MINUTES || undefined}
    >
      {texts.percent(writePercent(percent))}
    </span>
  );
}
