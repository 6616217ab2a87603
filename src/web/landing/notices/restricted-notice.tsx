import type { ReactNode } from 'react';
import { usePage } from '../page-context.ts';
import styles from './restricted-notice.module.css';

/** In the place of everything else, for a visitor from a region that the operator does not serve. */
export function RestrictedNotice(): ReactNode {
  const { texts } = usePage();
  return (
    <section className={styles.notice}>
      <h1>{texts.restrictedTitle}</h1>
      <p>{texts.restricted}</p>
    </section>
  );
}
