import type { ReactNode } from 'react';
import type { ConsoleProbe } from '../../contract/console.ts';
import { formatMs } from '../format/format-number.ts';
import { formatClock } from '../format/format-time.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { TEXTS } from '../texts.ts';
import styles from './side-lists.module.css';

/** A certificate with fewer days left is shown as degraded. */
const FEW_DAYS = 14;

/** The server's own probe of the line. */
export function ProbePanel({
  probe,
  now,
}: {
  readonly probe: ConsoleProbe | null;
  readonly now: number;
}): ReactNode {
  return (
    <Panel title={TEXTS.ownProbe} id="probe">
      {probe === null ? (
        <Empty>{TEXTS.noProbe}</Empty>
      ) : (
        <ul className={styles.facts}>
          {probe.condition === 'up' && (
            <li>
              <StatusMark status="up" label={TEXTS.probeUp(formatMs(probe.timeMs), probe.ports)} />
            </li>
          )}
          {probe.faults.map((fault) => (
            <li key={fault.problem}>
              <StatusMark status={probe.condition} label={TEXTS.fault(fault)} />
              <p className={styles.note}>{fault.advice}</p>
            </li>
          ))}
          <li>
            <Certificate probe={probe} />
          </li>
          <li className={styles.note}>{TEXTS.probed(formatClock(probe.checkedAt, now))}</li>
        </ul>
      )}
    </Panel>
  );
}

function Certificate({ probe: { certificate, hasAnswered } }: { readonly probe: ConsoleProbe }): ReactNode {
  if (certificate === null)
    return !hasAnswered ? null : <span className={styles.note}>{TEXTS.noCertificate}</span>;
  if (certificate.faultCode !== null)
    return <StatusMark status="down" label={TEXTS.certificateFault(certificate.faultCode)} />;
  const urgency = certificate.daysLeft < FEW_DAYS ? 'degraded' : 'up';
  return <StatusMark status={urgency} label={TEXTS.certificate(certificate.daysLeft)} />;
}
