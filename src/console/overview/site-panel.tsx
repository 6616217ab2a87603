import type { ReactNode } from 'react';
import type { ConsoleOverview, ConsoleRefusal } from '../../contract/console.ts';
import { writeCoded } from '../../contract/error-codes.ts';
import { type ToldFault, writePlaced } from '../../contract/faults/site-fault.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import styles from './side-panels.module.css';

/** The version of the site folder that is live, and the last change that was refused. */
export function SitePanel({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { texts, format } = useLocale();
  const { site, at } = overview;
  return (
    <Panel title={texts.site} id="site">
      <p className={kit.name}>{texts.siteHash(site.hash)}</p>
      <p className={kit.note}>
        <Clock
          time={site.publishedAt}
          now={at}
          write={(clock) => texts.liveSince(format.count(site.version), clock)}
        />
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
  const { texts, format, language } = useLocale();
  const write = ({ code, place, sentences }: ToldFault): string =>
    writeCoded({ code, message: writePlaced(place, sentences[language]) });
  if (refusal === null) return <p className={kit.note}>{texts.neverRefused}</p>;
  if (refusal.correctedAt !== null) {
    const refused = format.clock(refusal.at, now);
    return (
      <p className={kit.note}>
        <Clock time={refusal.correctedAt} now={now} write={(clock) => texts.corrected(refused, clock)} />
      </p>
    );
  }
  return (
    <div className={`${kit.problem} ${styles.refusal}`} role="alert">
      <StatusMark status="down" label={<Clock time={refusal.at} now={now} write={texts.refused} />} />
      <ul className={styles.faults}>
        {refusal.faults.map(write).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      <p>{texts.refusedNote}</p>
    </div>
  );
}
