import type { ReactNode } from 'react';
import { DAY_MS } from '../../contract/time-units.ts';
import type { VisitorNumbers } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import { Panel } from '../parts/panel.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import { layOutTime } from './lay-out-time.ts';
import { useVisitorTexts } from './texts.ts';
import styles from './time-chart.module.css';

const HEIGHT = 40;
/** A bar takes 80 % of its slot. */
const BAR_WIDTH = 0.8;

type TimedNumbers = Pick<VisitorNumbers, 'points' | 'pointMs' | 'at' | 'from'>;

/** Page views over time as bars, with the part that entered a line in each, and the same as a table. */
export function TimeChart({ numbers }: { readonly numbers: TimedNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const { points, pointMs, at: now } = numbers;
  const top = Math.max(1, ...points.map(({ views }) => views));
  const peak = points.find(({ views }) => views === top);
  // Days are days in UTC, whatever the zone of the console.
  const write = (at: number): string => (pointMs < DAY_MS ? format.clock(at, now) : format.utcDay(at));
  const { slots, slotsPerTick, ticks, times, slotOf } = layOutTime(numbers);
  return (
    <Panel
      title={pointMs < DAY_MS ? texts.hours : texts.days}
      {...(peak && { note: texts.peak(write(peak.at), format.count(peak.views)) })}
      id="visits-by-time"
    >
      <svg
        className={styles.chart}
        viewBox={`0 0 ${slots} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.chart(
          format.count(points.length),
          peak ? `${write(peak.at)}, ${format.count(peak.views)}` : format.count(0),
        )}
      >
        {points.map(({ at, views, entered }) => (
          <g key={at}>
            <rect {...placeBar(slotOf(at), views / top)} />
            <rect {...placeBar(slotOf(at), Math.min(views, entered) / top)} data-entered />
          </g>
        ))}
      </svg>
      {/* The last label has less room if its bars are fewer. */}
      <div className={styles.axis} aria-hidden="true">
        {ticks.map((tick, index) => (
          <span key={tick} style={{ flexGrow: Math.min(slotsPerTick, slots - index * slotsPerTick) }}>
            {slotsPerTick * pointMs < DAY_MS ? format.hour(tick) : format.utcDay(tick)}
          </span>
        ))}
      </div>
      <ul className={`${kit.legend} ${styles.legend}`}>
        <li>{texts.views}</li>
        <li data-entered>{texts.entered}</li>
      </ul>
      <details className={kit.details}>
        <summary>{texts.asTable}</summary>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col" data-number>
                {texts.views}
              </th>
              <th scope="col" data-number>
                {texts.entered}
              </th>
            </tr>
          </thead>
          <tbody>
            {times.map((time) => {
              const point = points.find(({ at }) => at === time);
              return (
                <tr key={time}>
                  <th scope="row">{write(time)}</th>
                  <td data-number>{format.count(point?.views ?? 0)}</td>
                  <td data-number>{format.count(point?.entered ?? 0)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
    </Panel>
  );
}

function placeBar(slot: number, part: number): Readonly<Record<'x' | 'y' | 'width' | 'height', number>> {
  const height = part * HEIGHT;
  return { x: slot + (1 - BAR_WIDTH) / 2, y: HEIGHT - height, width: BAR_WIDTH, height };
}
