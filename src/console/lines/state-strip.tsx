import { type ReactNode, memo } from 'react';
import { type ConsoleLine, LINE_STATUSES } from '../../contract/console.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { formatHost } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { CellSample, CellStrip } from '../parts/cell-strip.tsx';
import { listTroubles, readState } from '../parts/draw-states.ts';
import kit from '../parts/view.module.css';
import styles from './lines-panel.module.css';

const MINUTES = 60;

type StateStripProps = {
  readonly line: Pick<ConsoleLine, 'host' | 'states' | 'reachedByMinute'>;
  /** The running minute, in ms since 1970. */
  readonly now: number;
};

/** The states of a line in the last 60 minutes, one cell a minute. */
export const StateStrip = memo(function StateStrip({ line, now }: StateStripProps): ReactNode {
  const { texts, format } = useLocale();
  const { host, states, reachedByMinute } = line;
  const clockOf = (minute: number): string => format.hour(now - (MINUTES - 1 - minute) * MINUTE_MS);
  return (
    <CellStrip
      states={states}
      label={texts.strip(
        formatHost(host),
        listTroubles(states).map(({ status, from, minutes }) => ({
          status,
          clock: clockOf(from),
          minutes: format.count(minutes),
        })),
      )}
      write={(minute) =>
        texts.stripMinute(
          clockOf(minute),
          texts.status[readState(states, minute)],
          format.part(reachedByMinute[minute] ?? null, 100),
        )
      }
    />
  );
});

/** What the cells of the strips mean. */
export function StripLegend(): ReactNode {
  const { texts } = useLocale();
  return (
    <ul className={`${kit.legend} ${styles.legend}`}>
      {LINE_STATUSES.map((status) => (
        <li key={status}>
          <CellSample status={status} />
          {texts.status[status]}
        </li>
      ))}
      <li>{texts.stripNote}</li>
    </ul>
  );
}
