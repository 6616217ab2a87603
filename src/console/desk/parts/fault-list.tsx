import type { ReactNode } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import styles from './change-list.module.css';

/** The sentences of a check: those of `waypost check`. In Chinese, what kind of fault it is comes first. */
export function FaultList({
  faults,
}: {
  readonly faults: readonly { readonly code: string; readonly message: string }[];
}): ReactNode {
  const texts = useDeskTexts();
  return (
    <ul className={styles.list}>
      {faults.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          {texts.say({ code, message })} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
