import type { ReactNode } from 'react';
import type { ConsoleOverview } from '../../contract/console.ts';
import { formatClock } from '../format/format-time.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { TEXTS } from '../texts.ts';
import styles from './side-panels.module.css';

/** The servers of the site, and whether they reach the shared store. */
export function ReplicasPanel({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { replicas, store, site, at } = overview;
  const present = replicas.filter(({ goneSince }) => goneSince === null);
  return (
    <Panel title={TEXTS.replicas} note={String(present.length)} id="replicas">
      <p className={styles.store}>
        {store.isUp ? (
          <StatusMark status="up" label={TEXTS.storeUp[store.kind]} />
        ) : (
          <StatusMark status="down" label={TEXTS.storeDown(formatClock(store.since, at))} />
        )}
      </p>
      <ul className={styles.list}>
        {replicas.map(({ name, startedAt, siteHash, isStoreUp, isThis, goneSince }) => (
          <li key={name}>
            <span className={styles.name}>{name}</span>
            {isThis && <span className={styles.badge}>{TEXTS.thisReplica}</span>}
            <br />
            <span className={styles.note}>{TEXTS.replicaNote(siteHash, formatClock(startedAt, at))}</span>
            {goneSince !== null && (
              <StatusMark status="down" label={TEXTS.gone(formatClock(goneSince, at))} />
            )}
            {goneSince === null && siteHash !== site.hash && (
              <StatusMark status="degraded" label={TEXTS.otherSite} />
            )}
            {goneSince === null && !isStoreUp && !isThis && (
              <StatusMark status="down" label={TEXTS.replicaStoreDown} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
