import type { ReactNode } from 'react';
import {
  type ConsoleUptime,
  type LineHistory,
  WHOLE_SITE,
  percentOfProbes,
  percentOfVisitors,
} from '../../contract/uptime.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { HostName } from '../parts/host-name.tsx';
import tables from '../parts/table.module.css';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';

/** The site and its lines, with what visitors met, what the server saw, and what was wrong. */
export function HistoryTable({
  numbers,
  line,
  onChoose,
}: {
  readonly numbers: ConsoleUptime;
  readonly line: string;
  readonly onChoose: (line: string) => void;
}): ReactNode {
  const texts = useHistoryTexts();
  const heads = [
    { text: texts.visitors },
    { text: texts.known, isWide: true },
    { text: texts.probe },
    { text: texts.incidents },
    { text: texts.total, isWide: true },
    { text: texts.longest, isWide: true },
    { text: texts.taken, isWide: true },
  ];
  return (
    <div className={styles.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            {heads.map(({ text, isWide }) => (
              <th key={text} scope="col" data-number data-wide={isWide}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbers.all.map((each) => (
            <Row
              key={`${each.role} ${each.line}`}
              history={each}
              minutes={Math.floor((numbers.at - numbers.from) / MINUTE_MS)}
              isChosen={each.line === line}
              onChoose={() => onChoose(each.line)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  history: { line, role, sums, incidents },
  minutes,
  isChosen,
  onChoose,
}: {
  readonly history: LineHistory;
  readonly minutes: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format, language } = useLocale();
  const write = (ms: number | null): string => (ms === null ? NO_DATA : writeDuration(ms, language));
  const { count, totalMs, longestMs, taken, takenAfterMs } = incidents;
  return (
    <tr data-chosen={isChosen || undefined} className={styles.row}>
      <th scope="row">
        <button className={styles.line} type="button" aria-pressed={isChosen} onClick={onChoose}>
          {line === WHOLE_SITE ? texts.site : <HostName host={line} />}
        </button>
        {role === 'backup' && <span className={styles.role}>{texts.backup}</span>}
        {role === 'gone' && <span className={styles.role}>{texts.gone}</span>}
      </th>
      <td data-number>
        <Percent percent={percentOfVisitors(sums)} ifNone={texts.noVisits} />
      </td>
      <td data-number data-wide>
        {texts.ofMinutes(format.count(sums.known + sums.leftOut), format.count(minutes))}
      </td>
      <td data-number>
        <Percent percent={percentOfProbes(sums)} ifNone={NO_DATA} />
      </td>
      <td data-number>{format.count(count)}</td>
      <td data-number data-wide>
        {count === 0 ? NO_DATA : write(totalMs)}
      </td>
      <td data-number data-wide>
        {write(longestMs)}
      </td>
      <td data-number data-wide>
        {takenAfterMs === null
          ? NO_DATA
          : texts.takenOf(write(takenAfterMs), format.count(taken), format.count(count))}
      </td>
    </tr>
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
      {texts.percent(percent === 100 ? '100' : percent.toFixed(2))}
    </span>
  );
}
