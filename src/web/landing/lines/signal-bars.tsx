import type { ReactNode } from 'react';
import type { Grade } from './grade-speed.ts';
import styles from './signal-bars.module.css';

/** The grade as bars, so that it does not hang on colour alone. The text beside them says it in words. */
export function SignalBars({ grade }: { readonly grade: Grade }): ReactNode {
  return (
    <span className={styles.bars} data-grade={grade} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
