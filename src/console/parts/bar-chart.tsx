import type { ReactNode } from 'react';
import styles from './bar-chart.module.css';

type BarChartProps = {
  /** How many bars have room side by side. */
  readonly slots: number;
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Bars over time, as wide as their panel. A slot and the whole height are 1 in the units of the bars. */
export function BarChart({ slots, label, className = '', children }: BarChartProps): ReactNode {
  return (
    <svg
      className={`${styles.chart} ${className}`}
      viewBox={`0 0 ${slots} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  );
}
