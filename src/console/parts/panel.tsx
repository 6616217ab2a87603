import type { ReactNode } from 'react';
import { useLocale } from '../locale/locale.ts';
import styles from './panel.module.css';
import kit from './view.module.css';

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
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** A text where there is nothing to show. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={styles.empty}>{children}</p>;
}

/** Shown until the data of a view is there. */
export function Loading({
  hasFailed = false,
  failed,
}: {
  readonly hasFailed?: boolean;
  /** The text after a failure, if more is known than that it failed. */
  readonly failed?: string;
}): ReactNode {
  const { texts } = useLocale();
  return <Empty>{hasFailed ? (failed ?? texts.viewFailed) : texts.loading}</Empty>;
}

/** Why something did not work. The element exists before its text, so that screen readers announce the text. */
export function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  return (
    <p className={kit.problem} role="alert">
      {text}
    </p>
  );
}
