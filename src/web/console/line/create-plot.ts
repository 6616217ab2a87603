import UPlot from 'uplot';
import type { ChartData } from './chart-data.ts';

export type PlotSettings = {
  readonly names: readonly string[];
  readonly top: number | undefined;
  readonly unit: string;
  /** Told where the pointer is, by the index of the step. */
  readonly onPoint: (index: number | null | undefined) => void;
};

const AXIS_SIZES = { time: 34, value: 74 };
const numbers = new Intl.NumberFormat('en');
/** The charts of one line have one cursor. */
const SYNC_KEY = 'line';
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Draws a chart, in the colours that the page has right now. */
export function createPlot(place: HTMLElement, data: ChartData, settings: PlotSettings): UPlot {
  const { names, top, unit, onPoint } = settings;
  const { accent, second, muted, border, font } = readColours(place);
  const axis: UPlot.Axis = {
    stroke: muted,
    font: `12px ${font}`,
    grid: { stroke: border, width: 1 },
    ticks: { stroke: border, width: 1, size: 4 },
  };
  const strokes = [accent, second];
  const options: UPlot.Options = {
    width: place.clientWidth,
    height: place.clientHeight,
    legend: { show: false },
    cursor: { y: false, sync: { key: SYNC_KEY }, drag: { setScale: false } },
    scales: { y: { range: (_plot, _min, max) => [0, top ?? Math.max(1, max * 1.1)] } },
    axes: [
      {
        ...axis,
        size: AXIS_SIZES.time,
        values: (_plot, ticks) => ticks.map((tick) => clock.format(tick * 1_000)),
      },
      {
        ...axis,
        size: AXIS_SIZES.value,
        values: (_plot, ticks) => ticks.map((tick) => `${numbers.format(tick)} ${unit}`),
      },
    ],
    series: [
      {},
      ...names.map((label, index): UPlot.Series => {
        const stroke = strokes[index] ?? accent;
        return {
          label,
          stroke,
          width: 1.5,
          dash: index > 0 ? [4, 3] : [],
          // A minute alone would be no line, and so not be seen.
          points: { show: true, size: 3, stroke, fill: stroke, width: 0 },
        };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
  return new UPlot(options, data as unknown as UPlot.AlignedData, place); // It does not change what it is given.
}

/** A canvas knows no custom properties. */
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
