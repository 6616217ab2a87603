import UPlot from 'uplot';
import { readColours } from '../parts/read-colours.ts';
import { type Band, type ChartData, MINUTE_SECONDS } from './chart-data.ts';

export type PlotSettings = {
  readonly names: readonly string[];
  readonly top: number | undefined;
  /** Where the time axis ends, in seconds since 1970. */
  readonly readEnd: () => number;
  /** The times in trouble, as they are when the chart is drawn. */
  readonly readBands: () => readonly Band[];
  /** The times at which the line was changed, in ms since 1970. */
  readonly readMarks: () => readonly number[];
  /** The IANA zone whose hours the ticks of the time axis are at. */
  readonly timeZone: string;
  readonly formatHour: (time: number) => string;
  readonly formatTick: (value: number) => string;
  /** Called with the index of the step under the pointer. */
  readonly onPoint: (index: number | null | undefined) => void;
};

const AXIS_SIZES = { time: 34, value: 64 };
/** What may be between two ticks of the time axis. They are written in whole minutes. */
const TICK_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440];
/** All charts of a line share one cursor. */
const SYNC_KEY = 'line';
/** How thick the bar at the top of a band is: the worse, the thicker, so that its colour is not the only sign. */
const BAR_PX: Readonly<Record<Band['status'], number>> = { down: 6, degraded: 3, maintenance: 1 };

/** Draws a chart in the current colours of the page. */
export function createPlot(place: HTMLElement, data: ChartData, settings: PlotSettings): UPlot {
  const { names, top, readEnd, readBands, readMarks, timeZone, formatHour, formatTick, onPoint } = settings;
  const colours: Colours = { ...readColours(place, COLOURS), font: getComputedStyle(place).fontFamily };
  const { accent, second, muted, border, font } = colours;
  const axis: UPlot.Axis = {
    stroke: muted,
    font: `12px ${font}`,
    grid: { stroke: border, width: 1 },
    ticks: { show: false },
  };
  const options: UPlot.Options = {
    width: place.clientWidth,
    height: place.clientHeight,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), timeZone),
    legend: { show: false },
    cursor: { y: false, sync: { key: SYNC_KEY }, drag: { setScale: false } },
    scales: {
      x: { range: (_plot, min) => [min, readEnd()] },
      y: { range: (_plot, _min, max) => [0, top ?? Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: AXIS_SIZES.time,
        // The first time is not below “0%” as if both were one label.
        gap: 12,
        incrs: TICK_MINUTES.map((minutes) => minutes * MINUTE_SECONDS),
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
      ...names.map((label, index) =>
        index === 0
          ? drawSeries(label, accent, { fill: colours['accent-soft'], width: 1.75 })
          : drawSeries(label, second, { width: 1 }),
      ),
    ],
    hooks: {
      drawClear: [(plot) => drawBands(plot, readBands(), colours)],
      draw: [(plot) => drawMarks(plot, readMarks(), muted)],
      setCursor: [({ cursor }) => onPoint(cursor.idx)],
    },
  };
  return new UPlot(options, data as unknown as UPlot.AlignedData, place); // uPlot does not change its data.
}

function drawSeries(
  label: string,
  stroke: string,
  { fill, width }: { readonly fill?: string; readonly width: number },
): UPlot.Series {
  return {
    label,
    stroke,
    width,
    ...(fill !== undefined && { fill }),
    points: { show: true, size: 4, fill: stroke, width: 0, filter: findLonely },
  };
}

/** Finds the steps between two gaps. They get a dot, because a line of one point is invisible. */
function findLonely({ data }: UPlot, series: number): number[] {
  const values = data[series] ?? [];
  const isKnown = (index: number): boolean => (values[index] ?? null) !== null;
  return Array.from(values, (_, index) => index).filter(
    (index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1),
  );
}

/** Draws the times in trouble below everything else: a soft ground with a bar at its top. */
function drawBands(plot: UPlot, bands: readonly Band[], colours: Colours): void {
  const { left, top, width, height } = plot.bbox;
  const ratio = devicePixelRatio;
  const placeOf = (minute: number): number =>
    Math.min(left + width, Math.max(left, plot.valToPos(minute * MINUTE_SECONDS, 'x', true)));
  for (const { status, from, until } of bands) {
    const start = placeOf(from);
    // The shortest one is still seen.
    const size = Math.max(2 * ratio, placeOf(until) - start);
    plot.ctx.fillStyle = status === 'maintenance' ? colours.sunken : colours[`${status}-soft`];
    plot.ctx.fillRect(start, top, size, height);
    plot.ctx.fillStyle = status === 'maintenance' ? colours.unknown : colours[`${status}-mark`];
    plot.ctx.fillRect(start, top, size, BAR_PX[status] * ratio);
  }
}

/** Draws a dashed line where the line was changed. */
function drawMarks(plot: UPlot, marks: readonly number[], colour: string): void {
  const { left, top, width, height } = plot.bbox;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const at of marks) {
    const x = Math.round(plot.valToPos(at / 1_000, 'x', true)) + 0.5;
    if (x < left || x > left + width) continue;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
  }
  ctx.restore();
}

const COLOURS = [
  'accent',
  'accent-soft',
  'second',
  'muted',
  'border',
  'sunken',
  'unknown',
  'down-soft',
  'down-mark',
  'degraded-soft',
  'degraded-mark',
] as const;

type Colours = Readonly<Record<(typeof COLOURS)[number] | 'font', string>>;
