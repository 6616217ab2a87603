import type { ReactNode } from 'react';
import { DAY_MS } from '../../contract/time-units.ts';
import type { VisitorNumbers } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import charts from '../parts/bar-chart.module.css';
import { BarChart } from '../parts/bar-chart.tsx';
import { AsTable } from '../parts/number-table.tsx';
import { Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { findNiceTop, listTicks } from './draw-funnel.ts';
import { layOutTime } from './lay-out-time.ts';
import { useVisitorTexts } from './texts.ts';
import styles from './time-chart.module.css';

/** A bar takes 80 % of its slot. */
const BAR_WIDTH = 0.8;

type TimedNumbers = Pick<VisitorNumbers, 'points' | 'pointMs' | 'at' | 'from'>;

/** Page views over time as bars, with the part that entered a line in each, and the same as a table. */
export function TimeChart({ numbers }: { readonly numbers: TimedNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const { points, pointMs, at: now } = numbers;
  const most = Math.max(...points.map(({ views }) => views));
  const top = findNiceTop(most);
  const peak = points.find(({ views }) => views > 0 && views === most);
  // Days are days in UTC, whatever the zone of the console.
  const write = (at: number): string => (pointMs < DAY_MS ? format.clock(at, now) : format.utcDay(at));
  const { slots, slotsPerTick, ticks, times, slotOf } = layOutTime(numbers);
  return (
    <Panel
      title={pointMs < DAY_MS ? texts.hours : texts.days}
      note={peak && texts.peak(write(peak.at), format.count(peak.views))}
      id="visits-by-time"
    >
      <BarChart
        slots={slots}
        label={texts.chart(
          format.count(points.length),
          peak ? `${write(peak.at)}, ${format.count(peak.views)}` : format.count(0),
        )}
        className={styles.chart}
        scale={listTicks(top).map(format.count)}
        axis={
          // The last label has less room if its bars are fewer.
          <div className={`${charts.axis} ${styles.ticks}`} aria-hidden="true">
            {ticks.map((tick, index) => (
              <span key={tick} style={{ flexGrow: Math.min(slotsPerTick, slots - index * slotsPerTick) }}>
                {slotsPerTick * pointMs < DAY_MS ? format.hour(tick) : format.utcDay(tick)}
              </span>
            ))}
          </div>
        }
      >
        {points.map(({ at, views, entered }) => (
          <g key={at}>
            <rect {...placeBar(slotOf(at), views / top)} />
            <rect {...placeBar(slotOf(at), Math.min(views, entered) / top)} data-entered />
          </g>
        ))}
      </BarChart>
      <ul className={`${kit.legend} ${styles.legend}`}>
        <li>{texts.views}</li>
        <li data-entered>{texts.entered}</li>
      </ul>
      <AsTable
        columns={[{ name: texts.time }, { name: texts.views }, { name: texts.entered }]}
        rows={times.map((time) => {
          const point = points.find(({ at }) => at === time);
          return {
            key: String(time),
            name: write(time),
            cells: [format.count(point?.views ?? 0), format.count(point?.entered ?? 0)],
          };
        })}
      />
    </Panel>
  );
}

function placeBar(slot: number, height: number): Readonly<Record<'x' | 'y' | 'width' | 'height', number>> {
  return { x: slot + (1 - BAR_WIDTH) / 2, y: 1 - height, width: BAR_WIDTH, height };
}
