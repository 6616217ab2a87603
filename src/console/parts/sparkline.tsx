import { type ReactNode, memo } from 'react';
import type { MinuteValues } from '../../contract/console.ts';
import styles from './sparkline.module.css';

export type SparklineProps = {
  readonly values: MinuteValues;
  /** A description for screen readers. */
  readonly label: string;
  /** The top of the scale. By default the highest value. */
  readonly top?: number | undefined;
  readonly width?: number;
  readonly height?: number;
};

/** A small chart of what changes over time. Unknown steps are gaps. */
export const Sparkline = memo(function Sparkline({
  values,
  label,
  top,
  width = 120,
  height = 24,
}: SparklineProps): ReactNode {
  const { area, line, dots } = drawSparkline(values, {
    width,
    height,
    top: top ?? Math.max(1, ...values.map((value) => value ?? 0)),
  });
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={styles.area} d={area} />
      <path className={styles.ground} d={`M0 ${height - 0.5}H${width}`} />
      <path className={styles.line} d={line} />
      <path className={styles.dots} d={dots} />
    </svg>
  );
});

export type SparklineSize = { readonly width: number; readonly height: number; readonly top: number };

/** Keeps the stroke inside the picture, and a dot. */
const INSET = 2;

/** Draws a line through the values, and the area below it. An unknown value is a gap, a single value between gaps a dot. */
export function drawSparkline(
  values: MinuteValues,
  { width, height, top }: SparklineSize,
): { readonly area: string; readonly line: string; readonly dots: string } {
  const step = (width - 2 * INSET) / Math.max(1, values.length - 1);
  let [area, line, dots] = ['', '', ''];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const x = round(INSET + index * step);
    const y = round(INSET + (1 - Math.min(value, top) / top) * (height - 2 * INSET));
    const isStart = (values[index - 1] ?? null) === null;
    const isEnd = (values[index + 1] ?? null) === null;
    if (isStart && isEnd) {
      dots += `M${x} ${y}h.01`;
      continue;
    }
    line += `${isStart ? 'M' : 'L'}${x} ${y}`;
    area += isStart ? `M${x} ${height}L${x} ${y}` : `L${x} ${y}`;
    if (isEnd) area += `V${height}z`;
  }
  return { area, line, dots };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
