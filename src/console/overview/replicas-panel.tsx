import type { ReactNode } from 'react';
import type { ConsoleOverview } from '../../contract/console.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import badge from '../parts/badge.module.css';
import kit from '../parts/view.module.css';
import styles from './side-panels.module.css';

/** The servers of the site, and the state of their database. */
export function ReplicasPanel({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { texts, format } = useLocale();
  const { replicas, store, site, at } = overview;
  const present = replicas.filter(({ goneSince }) => goneSince === null);
  return (
    <Panel title={texts.replicas} note={format.count(present.length)} id="replicas">
      <p className={styles.store}>
        {store.isUp ? (
          <StatusMark status="up" label={texts.storeUp[store.kind]} />
        ) : (
          <StatusMark status="down" label={<Clock time={store.since} now={at} write={texts.storeDown} />} />
        )}
      </p>
      {store.rewoundAt !== null && (
        <p className={styles.store}>
          <StatusMark
            status="degraded"
            label={<Clock time={store.rewoundAt} now={at} write={texts.storeRewound} />}
          />
        </p>
      )}
      <ul className={styles.list}>
        {replicas.map(({ name, startedAt, siteHash, isCutOff, isThis, goneSince }) => (
          <li key={name}>
            <span className={kit.name}>{name}</span>
            {isThis && <span className={badge.badge}>{texts.thisReplica}</span>}
            <p className={kit.note}>
              <Clock time={startedAt} now={at} write={(clock) => texts.replicaNote(siteHash, clock)} />
            </p>
            {goneSince !== null && (
              <StatusMark status="down" label={<Clock time={goneSince} now={at} write={texts.gone} />} />
            )}
            {goneSince === null && siteHash !== site.hash && (
              <StatusMark status="degraded" label={texts.otherSite} />
            )}
            {goneSince === null && isCutOff && <StatusMark status="down" label={texts.replicaCutOff} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
