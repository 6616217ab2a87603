import type { ReactNode } from 'react';
import styles from './tile.module.css';

export type TileProps = {
  readonly id: string;
  readonly title: ReactNode;
  readonly figure?: string;
  readonly note?: string;
  readonly children?: ReactNode;
};

/** A box with a large figure. */
export function Tile({ id, title, figure, note, children }: TileProps): ReactNode {
  return (
    <section className={styles.tile} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      {figure !== undefined && <p className={styles.figure}>{figure}</p>}
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  );
}
