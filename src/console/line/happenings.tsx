import type { ReactNode } from 'react';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import type { Band } from './chart-data.ts';
import type { LineChange } from './use-line-changes.ts';
import styles from './side-lists.module.css';

type HappeningsProps = {
  readonly bands: readonly Band[];
  readonly changes: readonly LineChange[];
  readonly now: number;
};

/** In words what the charts mark: when the line was in trouble, and when it was changed. The newest comes first. */
export function Happenings({ bands, changes, now }: HappeningsProps): ReactNode {
  const { texts, format, language } = useLocale();
  const items = [
    ...bands.map(({ status, from, until }) => {
      const at = from * MINUTE_MS;
      const duration = writeDuration((until - from) * MINUTE_MS, language);
      const write = (clock: string): string => texts.bandFor(clock, duration);
      return {
        at,
        key: `band ${from}`,
        text: (
          <>
            <StatusMark status={status} /> <Clock time={at} now={now} write={write} />
          </>
        ),
      };
    }),
    ...changes.map(({ number, at, by }) => ({
      at,
      key: `version ${number}`,
      text: (
        <>
          <a href={hrefOf({ view: 'desk', part: 'versions' })}>{texts.versionOfSite(format.count(number))}</a>{' '}
          <Clock time={at} now={now} write={(clock) => texts.changedBy(clock, texts.actor(by))} />
        </>
      ),
    })),
  ].toSorted((a, b) => b.at - a.at);
  return (
    <Panel title={texts.happenings} note={texts.happeningsNote} id="happenings">
      {items.length === 0 ? (
        <p className={kit.note}>{texts.nothingHappened}</p>
      ) : (
        <ul className={styles.facts}>
          {items.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
