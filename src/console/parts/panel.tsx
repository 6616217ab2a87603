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
  readonly note?: string | undefined;
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

/** How many bars stand for what is not there yet. */
const SKELETONS = { view: [4, 8], rows: [0, 6], chart: [0, 1] } as const;

/** Shown until the data of a view is there: bars where it will be. */
export function Loading({
  hasFailed = false,
  failed,
  shape = 'rows',
}: {
  readonly hasFailed?: boolean;
  /** The text after a failure, if more is known than that it failed. */
  readonly failed?: string;
  /** A whole view with its tiles, the rows of a panel, or a chart. */
  readonly shape?: keyof typeof SKELETONS;
}): ReactNode {
  const { texts } = useLocale();
  if (hasFailed) return <Empty>{failed ?? texts.viewFailed}</Empty>;
  const [tiles, rows] = SKELETONS[shape];
  return (
    <div className={styles.skeleton} data-shape={shape}>
      <p className="visually-hidden">{texts.loading}</p>
      {tiles > 0 && <div className={styles.tiles}>{drawBars(tiles)}</div>}
      {drawBars(rows)}
    </div>
  );
}

function drawBars(count: number): readonly ReactNode[] {
  return Array.from({ length: count }, (_, bar) => <span key={bar} className={styles.bar} />);
}

/** Why something did not work. The element exists before its text, so that screen readers announce the text. */
export function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  return (
    <p className={kit.problem} role="alert">
      {text}
    </p>
  );
}
