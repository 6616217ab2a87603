import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A part of a view, with its heading. */
export function Panel({
  title,
  note,
  id,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly id: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
        {note !== undefined && <span className={styles.note}> {note}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A text where there is nothing to show. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={styles.empty}>{children}</p>;
}
