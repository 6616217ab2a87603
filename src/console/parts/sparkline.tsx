import { type ReactNode, memo } from 'react';
import type { MinuteValues } from '../../contract/console.ts';
import styles from './sparkline.module.css';

export type SparklineProps = {
  readonly values: MinuteValues;
  /** A description for screen readers. */
  readonly label: string;
  /** The top of the scale. By default the highest value. */
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
};

/** The last hour as a small chart. Unknown minutes are gaps. */
export const Sparkline = memo(function Sparkline({
  values,
  label,
  top,
  width = 120,
  height = 24,
}: SparklineProps): ReactNode {
  const path = drawSparkline(values, {
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
      <path className={styles.ground} d={`M0 ${height - 0.5}H${width}`} />
      <path className={styles.line} d={path} />
    </svg>
  );
});

export type SparklineSize = { readonly width: number; readonly height: number; readonly top: number };

/** Keeps the stroke inside the picture. */
const INSET = 1.5;

/** Draws the path of a line through the values. An unknown value is a gap, a single value between gaps a dot. */
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
