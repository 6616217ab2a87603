import type { ReactNode } from 'react';
import type { ConsoleProbe } from '../../contract/console.ts';
import { MIN_CERTIFICATE_DAYS } from '../../contract/limits.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import styles from './side-lists.module.css';

/** The server's own probe of the line. */
export function ProbePanel({
  probe,
  isCutOff,
  now,
}: {
  readonly probe: ConsoleProbe | null;
  /** True if this portal reaches no line. Then the fault is probably not this line's. */
  readonly isCutOff: boolean;
  readonly now: number;
}): ReactNode {
  const { texts, format } = useLocale();
  return (
    <Panel title={texts.ownProbe} id="probe">
      {probe === null ? (
        <Empty>{texts.noProbe}</Empty>
      ) : (
        <ul className={styles.facts}>
          {probe.condition === 'up' && (
            <li>
              <StatusMark status="up" label={texts.probeUp(format.ms(probe.timeMs), probe.ports)} />
            </li>
          )}
          {isCutOff && <li>{texts.probeCutOff}</li>}
          {probe.faults.map(texts.fault).map(({ problem, advice }) => (
            <li key={problem}>
              <StatusMark status={isCutOff ? 'unknown' : probe.condition} label={problem} />
              {!isCutOff && <p className={kit.note}>{advice}</p>}
            </li>
          ))}
          {(probe.certificate !== null || probe.hasAnswered) && (
            <li>
              <Certificate certificate={probe.certificate} />
            </li>
          )}
          {probe.stay !== null && (
            <li>
              <Stay stay={probe.stay} />
            </li>
          )}
          <li className={kit.note}>
            <Clock time={probe.checkedAt} now={now} write={texts.probed} />
          </li>
        </ul>
      )}
    </Panel>
  );
}

function Stay({ stay }: { readonly stay: NonNullable<ConsoleProbe['stay']> }): ReactNode {
  const { texts } = useLocale();
  if (stay.version === null) return <span className={kit.note}>{texts.noStay}</span>;
  const [fault] = stay.faults.map(texts.fault);
  if (fault === undefined) return <StatusMark status="up" label={texts.stay(stay.version)} />;
  return (
    <>
      <StatusMark status="degraded" label={fault.problem} />
      <p className={kit.note}>{fault.advice}</p>
    </>
  );
}

function Certificate({ certificate }: Pick<ConsoleProbe, 'certificate'>): ReactNode {
  const { texts, format } = useLocale();
  if (certificate === null) return <span className={kit.note}>{texts.noCertificate}</span>;
  if (certificate.faultCode !== null)
    return <StatusMark status="down" label={texts.certificateFault(certificate.faultCode)} />;
  const urgency = certificate.daysLeft < MIN_CERTIFICATE_DAYS ? 'degraded' : 'up';
  return (
    <StatusMark
      status={urgency}
      label={texts.certificate(certificate.daysLeft, format.count(certificate.daysLeft))}
    />
  );
}
