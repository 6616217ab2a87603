import type { ReactNode } from 'react';
import styles from './change-list.module.css';

/** The sentences of a check. They are those of `waypost check`, in English in every language. */
export function FaultList({
  faults,
}: {
  readonly faults: readonly { readonly code: string; readonly message: string }[];
}): ReactNode {
  return (
    <ul className={styles.list} lang="en">
      {faults.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          {message} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
