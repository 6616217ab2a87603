import type { MinuteValues } from '../../contract/console.ts';

export type SparklineSize = { readonly width: number; readonly height: number; readonly top: number };

/** Keeps the stroke inside the picture. */
const INSET = 1.5;

/** The path of a line through the values: a gap where there is none, a dot where there is one alone. */
export function drawSparkline(values: MinuteValues, { width, height, top }: SparklineSize): string {
  const step = (width - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    if (value === null) return '';
    const x = round(INSET + index * step);
    const y = round(INSET + (1 - Math.min(value, top) / top) * (height - 2 * INSET));
    const isStart = (values[index - 1] ?? null) === null;
    const isAlone = isStart && (values[index + 1] ?? null) === null;
    return isAlone ? `M${x} ${y}h.01` : `${isStart ? 'M' : 'L'}${x} ${y}`;
  });
  return points.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
