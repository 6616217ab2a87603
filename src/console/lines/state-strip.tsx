import { type PointerEvent, type ReactNode, memo, useState } from 'react';
import { type ConsoleLine, LINE_STATUSES } from '../../contract/console.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { formatHost } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import kit from '../parts/view.module.css';
import { STRIP, drawStates, listTroubles, readState } from './draw-states.ts';
import styles from './state-strip.module.css';

const MINUTES = 60;

type StateStripProps = {
  readonly line: Pick<ConsoleLine, 'host' | 'states' | 'reachedByMinute'>;
  /** The running minute, in ms since 1970. */
  readonly now: number;
};

/** The states of a line in the last 60 minutes, one cell a minute. The pointer shows a minute in words. */
export const StateStrip = memo(function StateStrip({ line, now }: StateStripProps): ReactNode {
  const { texts, format } = useLocale();
  const [pointed, setPointed] = useState<number>();
  const { host, states, reachedByMinute } = line;
  const clockOf = (minute: number): string => format.hour(now - (MINUTES - 1 - minute) * MINUTE_MS);
  return (
    <span
      className={styles.strip}
      role="img"
      aria-label={texts.strip(
        formatHost(host),
        listTroubles(states).map(({ status, from, minutes }) => ({
          status,
          clock: clockOf(from),
          minutes: format.count(minutes),
        })),
      )}
      onPointerMove={(event) => setPointed(minuteAt(event))}
      onPointerLeave={() => setPointed(undefined)}
    >
      <States states={states} />
      {pointed !== undefined && (
        <span className={styles.tip} data-late={pointed > MINUTES / 2 || undefined} aria-hidden="true">
          {texts.stripMinute(
            clockOf(pointed),
            texts.status[readState(states, pointed)],
            format.part(reachedByMinute[pointed] ?? null, 100),
          )}
        </span>
      )}
    </span>
  );
});

/** What the cells of the strips mean. */
export function StripLegend(): ReactNode {
  const { texts } = useLocale();
  return (
    <ul className={`${kit.legend} ${styles.legend}`}>
      {LINE_STATUSES.map((status) => (
        <li key={status}>
          <span className={styles.sample}>
            <States states={[{ status, minutes: 3 }]} />
          </span>
          {texts.status[status]}
        </li>
      ))}
      <li>{texts.stripNote}</li>
    </ul>
  );
}

function States({ states }: Pick<ConsoleLine, 'states'>): ReactNode {
  const minutes = states.reduce((sum, run) => sum + run.minutes, 0);
  const width = Math.max(1, minutes * STRIP.minute - (STRIP.minute - STRIP.cell));
  return (
    <svg viewBox={`0 0 ${width} ${STRIP.height}`} preserveAspectRatio="none" aria-hidden="true">
      {drawStates(states).map(({ status, path }) => (
        <path key={status} data-status={status} d={path} />
      ))}
    </svg>
  );
}

function minuteAt({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(MINUTES - 1, Math.max(0, Math.floor(((clientX - left) / width) * MINUTES)));
}
