import type { ReactNode } from 'react';
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts';
import {
  type ConsoleUptime,
  percentOfProbes,
  percentOfVisitors,
  writePercent,
} from '../../contract/uptime.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import charts from '../parts/bar-chart.module.css';
import { BarChart } from '../parts/bar-chart.tsx';
import { AsTable } from '../parts/number-table.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';
import { FAIR_PERCENT, judgePercent } from './uptime-strip.tsx';

const BAR_WIDTH = 0.85;
/** As a part of the height: the smallest loss can still be seen. */
const LEAST_LOST = 0.0375;

type UptimeNumbers = Pick<ConsoleUptime, 'at' | 'from' | 'by' | 'points'>;

/** The part of the visitors who got in, over time: as bars, and as a table. */
export function UptimeChart({
  numbers,
  name,
}: {
  readonly numbers: UptimeNumbers;
  readonly name: string;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  const write = useTimes(numbers);
  const { by, points } = numbers;
  const writeCell = (percent: number | undefined): string =>
    percent === undefined ? NO_DATA : texts.percent(writePercent(percent));
  return (
    <Panel title={by === 'hour' ? texts.hours(name) : texts.byDay(name)} id="history-chart">
      <Bars numbers={numbers} />
      {points.length > 0 && (
        <AsTable
          columns={[
            { name: texts.time },
            { name: texts.visitors },
            { name: texts.probe },
            { name: texts.visits },
            { name: texts.leftOut },
          ]}
          rows={points.toReversed().map(({ at, sums }) => ({
            key: String(at),
            name: write(at),
            cells: [
              writeCell(percentOfVisitors(sums)),
              writeCell(percentOfProbes(sums)),
              format.count(sums.visits),
              format.count(sums.leftOut),
            ],
          }))}
        />
      )}
    </Panel>
  );
}

/** Writes the hours or the days of the chart. */
function useTimes({ at: now, by }: UptimeNumbers): (at: number) => string {
  const { format } = useLocale();
  return (at) => (by === 'hour' ? format.clock(at, now) : format.utcDay(at));
}

/** A bar for each hour or day of which something is known. The scale begins just below the worst. */
function Bars({ numbers }: { readonly numbers: UptimeNumbers }): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  const write = useTimes(numbers);
  const { at: now, from, by, points } = numbers;
  const known = points.flatMap(({ at, sums }) => {
    const percent = percentOfVisitors(sums);
    return percent === undefined ? [] : [{ at, percent }];
  });
  if (known.length === 0) return <Empty>{texts.noVisits}</Empty>;
  const worst = known.reduce((one, other) => (other.percent < one.percent ? other : one), {
    percent: 100,
    at: from,
  });
  const bottom = Math.min(99, Math.floor(worst.percent));
  const slotMs = by === 'hour' ? HOUR_MS : DAY_MS;
  return (
    <>
      <p className={styles.scale} aria-hidden="true">
        {texts.scale}
      </p>
      <BarChart
        slots={Math.floor((now - from) / slotMs) + 1}
        label={texts.chart(
          format.count(known.length),
          `${write(worst.at)}, ${texts.percent(writePercent(worst.percent))}`,
        )}
        className={styles.chart}
        scale={[100, (100 + bottom) / 2, bottom].map((percent) => texts.percent(String(percent)))}
        axis={
          <div className={`${charts.axis} ${styles.ends}`} aria-hidden="true">
            <span>{format.utcDay(from)}</span>
            <span>{format.utcDay(now)}</span>
          </div>
        }
      >
        {known.map(({ at, percent }) => {
          const x = Math.floor((at - from) / slotMs);
          const lost = percent === 100 ? 0 : Math.max(LEAST_LOST, (100 - percent) / (100 - bottom));
          return (
            <g key={at}>
              <rect x={x} y={lost} width={BAR_WIDTH} height={1 - lost} />
              <rect
                x={x}
                y={0}
                width={BAR_WIDTH}
                height={lost}
                data-lost
                data-bad={judgePercent(percent) === 'down' || undefined}
              />
            </g>
          );
        })}
      </BarChart>
      <ul className={`${kit.legend} ${styles.legend}`}>
        <li>{texts.legendGood}</li>
        <li data-lost>{texts.legendLost}</li>
        <li data-bad>{texts.legendBad(`${FAIR_PERCENT}`)}</li>
        <li data-unknown>{texts.legendUnknown}</li>
      </ul>
    </>
  );
}
