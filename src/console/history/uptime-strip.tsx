import type { ReactNode } from 'react';
import type { LineStatus, StateRun } from '../../contract/console.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import { type ConsoleUptime, type LineUptime, writePercent } from '../../contract/uptime.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { CellSample, CellStrip } from '../parts/cell-strip.tsx';
import kit from '../parts/view.module.css';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';

/** Below this, a month had more than seven hours without the line. */
export const GOOD_PERCENT = 99;
/** Below this, a day had more than two hours without it. */
export const FAIR_PERCENT = 90;

/** The days of a line, a cell each, or several days a cell. */
export function UptimeStrip({
  strip,
  numbers: { at, from, stripDays },
}: {
  readonly strip: LineUptime['strip'];
  readonly numbers: Pick<ConsoleUptime, 'at' | 'from' | 'stripDays'>;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  const write = (cell: number): string => {
    const percent = strip[cell] ?? null;
    const first = from + cell * stripDays * DAY_MS;
    const last = Math.min(first + (stripDays - 1) * DAY_MS, at);
    const days = [...new Set([first, last].map(format.utcDay))].join(' – ');
    return texts.stripCell(days, percent === null ? NO_DATA : texts.percent(writePercent(percent)));
  };
  const known = strip.flatMap((percent, cell) => (percent === null ? [] : [{ percent, cell }]));
  const worst = known.toSorted((one, other) => one.percent - other.percent)[0];
  return (
    <CellStrip
      states={strip.map((percent): StateRun => ({ status: judgePercent(percent), minutes: 1 }))}
      label={
        worst === undefined ? texts.noVisits : texts.stripLabel(format.count(known.length), write(worst.cell))
      }
      write={write}
    />
  );
}

/** What the cells mean. */
export function UptimeLegend(): ReactNode {
  const texts = useHistoryTexts();
  const names = {
    up: texts.goodCell(`${GOOD_PERCENT}`),
    degraded: texts.fairCell(`${FAIR_PERCENT}`),
    down: texts.badCell(`${FAIR_PERCENT}`),
    unknown: texts.legendUnknown,
  };
  return (
    <ul className={`${kit.legend} ${styles.stripLegend}`}>
      {(['up', 'degraded', 'down', 'unknown'] as const).map((status) => (
        <li key={status}>
          <CellSample status={status} />
          {names[status]}
        </li>
      ))}
    </ul>
  );
}

export function judgePercent(percent: number | null): LineStatus {
  if (percent === null) return 'unknown';
  if (percent >= GOOD_PERCENT) return 'up';
  return percent >= FAIR_PERCENT ? 'degraded' : 'down';
}
