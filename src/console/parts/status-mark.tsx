import type { ReactNode } from 'react';
import type { ConsoleMaintenance, LineStatus } from '../../contract/console.ts';
import { useLocale } from '../locale/locale.ts';
import styles from './status-mark.module.css';

/** Each state has a shape of its own, so that its colour is never the only sign. */
const SHAPES: Readonly<Record<LineStatus, ReactNode>> = {
  up: <circle cx="7" cy="7" r="5" />,
  degraded: <path d="M7 1.5 13 12.5H1z" />,
  down: <path d="M3 1h8l2 2v8l-2 2H3l-2-2V3z M4 4l6 6M10 4l-6 6" className={styles.cross} />,
  unknown: <circle cx="7" cy="7" r="4.5" className={styles.hollow} />,
  maintenance: <path d="M2 2h3.5v10H2z M8.5 2H12v10H8.5z" />,
};

/** The shape of a state, with its name or another label. */
export function StatusMark({
  status,
  label,
}: {
  readonly status: LineStatus;
  readonly label?: ReactNode;
}): ReactNode {
  const { texts } = useLocale();
  return (
    <span className={styles.mark} data-status={status}>
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        {SHAPES[status]}
      </svg>
      <span data-label>{label ?? texts.status[status]}</span>
    </span>
  );
}

/** Why a line is in maintenance, and until when. */
export function MaintenanceNote({
  maintenance: { reason, until },
  now,
}: {
  readonly maintenance: ConsoleMaintenance;
  readonly now: number;
}): ReactNode {
  const { texts, format } = useLocale();
  const clock = until === null ? undefined : format.clock(until, now);
  return <span className={styles.note}>{texts.maintenanceNote(reason, clock)}</span>;
}
