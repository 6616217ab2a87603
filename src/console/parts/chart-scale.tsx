import type { ReactNode } from 'react';
import styles from './chart-scale.module.css';

/** What is beside the heights of a chart, from the top. Its numbers stand in the chart's table, too. */
export function ChartScale({ values }: { readonly values: readonly string[] }): ReactNode {
  return (
    <div className={styles.scale} aria-hidden="true">
      {values.map((value) => (
        <span key={value}>{value}</span>
      ))}
    </div>
  );
}
