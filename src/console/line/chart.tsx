import 'uplot/dist/uPlot.min.css';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type UPlot from 'uplot';
import type { Format } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { useScheme } from '../parts/use-scheme.ts';
import kit from '../parts/view.module.css';
import { type Band, type ChartData, hasValues } from './chart-data.ts';
import styles from './chart.module.css';
import { createPlot } from './create-plot.ts';

type FormatValue = (value: number | null) => string;

export type ChartProps = {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly data: ChartData;
  /** The name of each series. The first is drawn with the area below it. */
  readonly names: readonly string[];
  readonly formatValue: FormatValue;
  /** Writes a value of the axis. */
  readonly formatTick: (value: number) => string;
  /** Where the time axis ends, in ms since 1970. */
  readonly end: number;
  /** The top of the scale. By default the highest value of the data. */
  readonly top?: number;
  /** When the line was in trouble, and when it was changed (in ms since 1970). */
  readonly bands: readonly Band[];
  readonly marks: readonly number[];
};

/** A chart over the chosen span. */
export function Chart(props: ChartProps): ReactNode {
  const { texts } = useLocale();
  const { id, title, note, data, names } = props;
  return (
    <Panel title={title} note={note} id={id}>
      {hasValues(data) ? (
        <>
          <Plot {...props} />
          {names.length > 1 && (
            <ul className={`${kit.legend} ${styles.legend}`}>
              {names.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <Empty>{texts.noHistory}</Empty>
      )}
    </Panel>
  );
}

function Plot({
  title,
  data,
  names,
  formatValue,
  formatTick,
  end,
  top,
  bands,
  marks,
}: ChartProps): ReactNode {
  const { texts, format, timeZone } = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const plot = useRef<UPlot>(undefined);
  const latest = useRef({ data, end, bands, marks });
  latest.current = { data, end, bands, marks };
  const scheme = useScheme();
  const describe = useCallback(
    (shown: ChartData, index: number | null | undefined) =>
      describePoint(shown, index, { names, format, formatValue }),
    [names, format, formatValue],
  );

  useEffect(() => {
    if (!place.current) return undefined;
    const { current: node } = place;
    const created = createPlot(node, latest.current.data, {
      names,
      top,
      readEnd: () => latest.current.end / 1_000,
      readBands: () => latest.current.bands,
      readMarks: () => latest.current.marks,
      timeZone,
      formatHour: format.hour,
      formatTick,
      onPoint: (index) => {
        if (readout.current) readout.current.textContent = describe(latest.current.data, index);
      },
    });
    plot.current = created;
    const resizing = new ResizeObserver(() => {
      created.setSize({ width: node.clientWidth, height: node.clientHeight });
    });
    resizing.observe(node);
    return () => {
      resizing.disconnect();
      created.destroy();
    };
    // The next effect updates the data. A new plot for each change would lose the pointer's position.
  }, [scheme, names, top, timeZone, format, formatTick, describe]);

  useEffect(() => {
    plot.current?.setData(data as unknown as UPlot.AlignedData); // uPlot does not change its data.
    if (readout.current) readout.current.textContent = describe(data, null);
    // Bands and marks are read whenever the data is drawn.
  }, [data, bands, marks, describe]);

  return (
    <>
      <div
        ref={place}
        className={styles.plot}
        role="img"
        aria-label={texts.chart(title, describe(data, null))}
      />
      <p ref={readout} className={styles.readout} aria-hidden="true" />
    </>
  );
}

/** Describes the values at a point, or the last ones. */
function describePoint(
  [times, ...series]: ChartData,
  index: number | null | undefined,
  {
    names,
    format,
    formatValue,
  }: Pick<ChartProps, 'names'> & { readonly format: Format; readonly formatValue: FormatValue },
): string {
  const at = index ?? findLast(series);
  const time = (times[at] ?? 0) * 1_000;
  const values = series.map((list, place) => {
    const value = formatValue(list[at] ?? null);
    return series.length > 1 ? `${names[place]} ${value}` : value;
  });
  return `${format.clock(time, Date.now())} · ${values.join(' · ')}`;
}

function findLast(series: readonly (readonly (number | null)[])[]): number {
  return Math.max(0, ...series.map((list) => list.findLastIndex((value) => value !== null)));
}
