import type { ReactNode } from 'react';
import styles from '../../parts/field.module.css';

/** What is wrong with a field, one sentence each. */
export function ProblemList({
  problems,
  id,
}: {
  readonly problems: readonly string[];
  readonly id?: string;
}): ReactNode {
  return (
    <div className={styles.fault} id={id} role="alert">
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}
