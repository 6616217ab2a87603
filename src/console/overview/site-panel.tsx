import type { ReactNode } from 'react';
import type { ConsoleOverview, ConsoleRefusal } from '../../contract/console.ts';
import { formatClock } from '../format/format-time.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { TEXTS } from '../texts.ts';
import styles from './side-panels.module.css';

/** The version of the site folder that is live, and the last change that was refused. */
export function SitePanel({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { site, at } = overview;
  return (
    <Panel title={TEXTS.site} id="site">
      <p>
        <span className={styles.name}>{TEXTS.siteHash(site.hash)}</span>{' '}
        <span className={styles.note}>
          {TEXTS.liveSince(site.version, formatClock(site.publishedAt, at))}
        </span>
      </p>
      <Refusal refusal={site.refusal} now={at} />
    </Panel>
  );
}

function Refusal({
  refusal,
  now,
}: {
  readonly refusal: ConsoleRefusal | null;
  readonly now: number;
}): ReactNode {
  if (refusal === null) return <p className={styles.note}>{TEXTS.neverRefused}</p>;
  const clock = formatClock(refusal.at, now);
  if (refusal.correctedAt !== null) {
    return <p className={styles.note}>{TEXTS.corrected(clock, formatClock(refusal.correctedAt, now))}</p>;
  }
  return (
    <div className={styles.refusal} role="alert">
      <StatusMark status="down" label={TEXTS.refused(clock)} />
      <ul className={styles.faults}>
        {refusal.faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      <p className={styles.note}>{TEXTS.refusedNote}</p>
    </div>
  );
}
