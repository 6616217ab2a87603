import type { ReactNode } from 'react';
import styles from './bar-chart.module.css';
import { ChartScale } from './chart-scale.tsx';

type BarChartProps = {
  /** How many bars have room side by side. */
  readonly slots: number;
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
  /** What is beside the heights, from the top. */
  readonly scale: readonly string[];
  /** What is below the bars. */
  readonly axis: ReactNode;
  readonly children: ReactNode;
};

/** Bars over time, as wide as their panel. A slot and the whole height are 1 in the units of the bars. */
export function BarChart({ slots, label, className = '', scale, axis, children }: BarChartProps): ReactNode {
  return (
    <div className={styles.plot}>
      <ChartScale values={scale} />
      <svg
        className={`${styles.chart} ${className}`}
        viewBox={`0 0 ${slots} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path className={styles.grid} d={`M0 0H${slots}M0 .5H${slots}`} />
        {children}
      </svg>
      {axis}
    </div>
  );
}
