import type { ReactNode } from 'react';
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts';
import { type ConsoleUptime, percentOfProbes, percentOfVisitors } from '../../contract/uptime.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';

const HEIGHT = 40;
/** The smallest part that was lost can still be seen. */
const LEAST_LOST = 1.5;

/** The part of the visitors who got in, over time. A gap is a time of which nothing is known. */
export function UptimeChart({
  numbers: { at: now, from, by, points },
  name,
}: {
  readonly numbers: Pick<ConsoleUptime, 'at' | 'from' | 'by' | 'points'>;
  readonly name: string;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  const slotMs = by === 'hour' ? HOUR_MS : DAY_MS;
  const slots = Math.floor((now - from) / slotMs) + 1;
  const known = points.flatMap((point) => {
    const percent = percentOfVisitors(point.sums);
    return percent === undefined ? [] : [{ ...point, percent }];
  });
  const worst = known.reduce((one, other) => (other.percent < one.percent ? other : one), {
    percent: 100,
    at: from,
  });
  const bottom = Math.min(99, Math.floor(worst.percent));
  const write = (at: number): string => (by === 'hour' ? format.clock(at, now) : format.utcDay(at));
  return (
    <Panel title={by === 'hour' ? texts.hours(name) : texts.byDay(name)} id="history-chart">
      {known.length === 0 ? (
        <Empty>{texts.noVisits}</Empty>
      ) : (
        <>
          <p className={styles.scale} aria-hidden="true">
            {texts.scale(String(bottom))}
          </p>
          <svg
            className={styles.chart}
            viewBox={`0 0 ${slots} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={texts.chart(
              format.count(known.length),
              `${write(worst.at)}, ${texts.percent(worst.percent.toFixed(2))}`,
            )}
          >
            {known.map(({ at, percent }) => {
              const x = Math.floor((at - from) / slotMs);
              const lost = ((100 - percent) / (100 - bottom)) * HEIGHT;
              const shown = percent === 100 ? 0 : Math.max(LEAST_LOST, lost);
              return (
                <g key={at}>
                  <rect x={x} y={shown} width={0.85} height={HEIGHT - shown} />
                  <rect x={x} y={0} width={0.85} height={shown} data-lost />
                </g>
              );
            })}
          </svg>
          <div className={styles.axis} aria-hidden="true">
            <span>{format.utcDay(from)}</span>
            <span>{format.utcDay(now)}</span>
          </div>
          <ul className={`${kit.legend} ${styles.legend}`}>
            <li>{texts.legendGood}</li>
            <li data-lost>{texts.legendBad}</li>
            <li data-unknown>{texts.legendUnknown}</li>
          </ul>
        </>
      )}
      {points.length > 0 && (
        <details className={kit.details}>
          <summary>{texts.asTable}</summary>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">{texts.time}</th>
                <th scope="col" data-number>
                  {texts.visitors}
                </th>
                <th scope="col" data-number>
                  {texts.probe}
                </th>
                <th scope="col" data-number>
                  {texts.visits}
                </th>
                <th scope="col" data-number>
                  {texts.leftOut}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ at, sums }) => (
                <tr key={at}>
                  <th scope="row">{write(at)}</th>
                  <td data-number>{writePercent(percentOfVisitors(sums))}</td>
                  <td data-number>{writePercent(percentOfProbes(sums))}</td>
                  <td data-number>{format.count(sums.visits)}</td>
                  <td data-number>{format.count(sums.leftOut)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </Panel>
  );

  function writePercent(percent: number | undefined): string {
    return percent === undefined ? NO_DATA : texts.percent(percent.toFixed(2));
  }
}
