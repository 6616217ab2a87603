import { type ReactNode, memo } from 'react';
import type { MinuteValues } from '../../contract/console.ts';
import { drawSparkline } from './draw-sparkline.ts';
import styles from './sparkline.module.css';

export type SparklineProps = {
  readonly values: MinuteValues;
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** The highest value; the highest of the values, where it is not given. */
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
};

/** The last hour at a glance. Minutes of which nothing is known are gaps. */
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
