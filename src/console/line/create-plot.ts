import UPlot from 'uplot';
import type { ChartData } from './chart-data.ts';

export type PlotSettings = {
  readonly names: readonly string[];
  readonly top: number | undefined;
  /** The IANA zone whose hours the ticks of the time axis are at. */
  readonly timeZone: string;
  readonly formatHour: (time: number) => string;
  readonly formatTick: (value: number) => string;
  /** Called with the index of the step under the pointer. */
  readonly onPoint: (index: number | null | undefined) => void;
};

const AXIS_SIZES = { time: 34, value: 74 };
/** All charts of a line share one cursor. */
const SYNC_KEY = 'line';

/** Draws a chart in the current colours of the page. */
export function createPlot(place: HTMLElement, data: ChartData, settings: PlotSettings): UPlot {
  const { names, top, timeZone, formatHour, formatTick, onPoint } = settings;
  const { accent, second, muted, border, font } = readColours(place);
  const axis: UPlot.Axis = {
    stroke: muted,
    font: `12px ${font}`,
    grid: { stroke: border, width: 1 },
    ticks: { stroke: border, width: 1, size: 4 },
  };
  const options: UPlot.Options = {
    width: place.clientWidth,
    height: place.clientHeight,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), timeZone),
    legend: { show: false },
    cursor: { y: false, sync: { key: SYNC_KEY }, drag: { setScale: false } },
    scales: { y: { range: (_plot, _min, max) => [0, top ?? Math.max(1, max * 1.1)] } },
    axes: [
      {
        ...axis,
        size: AXIS_SIZES.time,
        values: (_plot, ticks) => ticks.map((tick) => formatHour(tick * 1_000)),
      },
      {
        ...axis,
        size: AXIS_SIZES.value,
        values: (_plot, ticks) => ticks.map(formatTick),
      },
    ],
    series: [
      {},
      ...names.map((label, index) => (index === 0 ? drawLine(label, accent) : drawDots(label, second))),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
  return new UPlot(options, data as unknown as UPlot.AlignedData, place); // uPlot does not change its data.
}

function drawLine(label: string, stroke: string): UPlot.Series {
  return {
    label,
    stroke,
    width: 1.5,
    points: { show: true, size: 3, fill: stroke, width: 0, filter: findLonely },
  };
}

/** Dots, because two lines through every minute would hide each other. */
function drawDots(label: string, stroke: string): UPlot.Series {
  return { label, stroke, paths: () => null, points: { show: true, size: 3, fill: stroke, width: 0 } };
}

/** Finds the steps between two gaps. They get a dot, because a line of one point is invisible. */
function findLonely({ data }: UPlot, series: number): number[] {
  const values = data[series] ?? [];
  const isKnown = (index: number): boolean => (values[index] ?? null) !== null;
  return Array.from(values, (_, index) => index).filter(
    (index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1),
  );
}

/** Reads the colours for the canvas, which cannot use custom properties. */
function readColours(
  place: HTMLElement,
): Readonly<Record<'accent' | 'second' | 'muted' | 'border' | 'font', string>> {
  const style = getComputedStyle(place);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    accent: read('accent'),
    second: read('second'),
    muted: read('muted'),
    border: read('border'),
    font: style.fontFamily,
  };
}
