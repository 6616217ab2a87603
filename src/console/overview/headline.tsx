import type { ReactNode } from 'react';
import type { ConsoleLine, ConsoleOverview } from '../../contract/console.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import { findHeadlines } from './find-headline.ts';
import styles from './headline.module.css';

/** The sentence to read from across the room, and below it what else is in trouble. */
export function Headline({
  overview,
  lines = [],
}: {
  readonly overview: ConsoleOverview;
  readonly lines: readonly ConsoleLine[] | undefined;
}): ReactNode {
  const [first, ...others] = findHeadlines(overview, lines);
  return (
    <div className={styles.headline} data-status={first.status} role="status">
      <p className={styles.first}>
        <StatusMark status={first.status} label={first.text} />
        <span className={styles.hint}>{first.hint}</span>
      </p>
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map(({ status, text, hint }) => (
            <li key={text}>
              <StatusMark status={status} label={text} /> <span className={styles.hint}>{hint}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
