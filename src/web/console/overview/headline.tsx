import type { ReactNode } from 'react';
import type { ConsoleLine, ConsoleOverview } from '../../../contract/console.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import { findHeadline } from './find-headline.ts';
import styles from './headline.module.css';

/** The one sentence to read from across the room. Its room is kept, whatever it says. */
export function Headline({
  overview,
  lines = [],
}: {
  readonly overview: ConsoleOverview;
  readonly lines: readonly ConsoleLine[] | undefined;
}): ReactNode {
  const { status, text, hint } = findHeadline(overview, lines);
  return (
    <p className={styles.headline} data-status={status} role="status">
      <StatusMark status={status} label={text} />
      <span className={styles.hint}>{hint}</span>
    </p>
  );
}
