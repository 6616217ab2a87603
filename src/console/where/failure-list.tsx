import type { ReactNode } from 'react';
import { formatHost, formatNetwork } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import styles from './failure-list.module.css';
import type { CellPlace, Failure } from './cells.ts';
import { useWhereTexts } from './texts.ts';

const MAX_LISTED = 30;

type FailureListProps = {
  readonly failures: readonly Failure[];
  readonly now: number;
  readonly onChoose: (place: CellPlace) => void;
};

/** The failing cells of the map, as sentences. */
export function FailureList({ failures, now, onChoose }: FailureListProps): ReactNode {
  const { texts, format } = useLocale();
  const whereTexts = useWhereTexts();
  return (
    // It scrolls, so it must be reachable by keyboard.
    <div className={styles.scroll} tabIndex={0} role="group" aria-labelledby="failing">
      {failures.length === 0 ? (
        <StatusMark status="up" label={whereTexts.nothingFails} />
      ) : (
        <ul className={styles.list}>
          {failures.slice(0, MAX_LISTED).map(({ host, network, since, place }) => (
            <li key={`${host} ${network}`}>
              <button className={styles.failure} type="button" onClick={() => onChoose(place)}>
                <StatusMark
                  status="down"
                  label={whereTexts.failure(formatHost(host), formatNetwork(network, texts))}
                />
                <span className={styles.since}>
                  <Clock time={since} now={now} write={texts.sinceClock} />
                </span>
              </button>
            </li>
          ))}
          {failures.length > MAX_LISTED && (
            <li className={styles.since}>
              {whereTexts.moreFailures(format.count(failures.length - MAX_LISTED))}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
