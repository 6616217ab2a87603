import type { ReactNode } from 'react';
import { formatHost } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import styles from './check-panel.module.css';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import { FaultList } from './parts/fault-list.tsx';
import type { Checked, CheckedLine } from './store/draft-snapshot.ts';
import { useDesk } from './store/desk-context.ts';

/** What the check has found: in the files at once, and of the lines one by one. */
export function CheckPanel(): ReactNode {
  const texts = useDeskTexts();
  const { snapshot } = useDesk();
  const { checked } = snapshot;
  if (checked === undefined) return null;
  const { files, lines, hasLines } = checked;
  const { faults = [], warnings = [], ownerKeys = [] } = files ?? {};
  // After each change the files are checked without being asked. That is only worth telling if something is wrong.
  if (!hasLines && faults.length === 0) return null;
  return (
    <Panel title={texts.checkTitle} id="desk-check">
      <div className={kit.stack}>
        <p role="status">{describeState(checked)}</p>
        {faults.length > 0 && (
          <div className={styles.faults}>
            <h3 className={styles.heading}>{texts.faults}</h3>
            <FaultList faults={faults} />
          </div>
        )}
        {ownerKeys.length > 0 && <p>{texts.ownerKeys(ownerKeys.join(', '))}</p>}
        {hasLines && warnings.length > 0 && (
          <div>
            <h3 className={styles.heading}>{texts.warnings}</h3>
            <FaultList faults={warnings} />
          </div>
        )}
        <CheckedLines />
      </div>
    </Panel>
  );

  function describeState({ isRunning, hasFailed }: Checked): string {
    if (isRunning) return texts.checking;
    if (hasFailed) return texts.checkFailed;
    const count = faults.length + lines.filter((line) => line.faults.length > 0).length;
    return count > 0 ? texts.faultsCount(count) : texts.checkGood;
  }
}

/** What the new and changed lines of the draft have answered, as far as they were asked. */
export function CheckedLines(): ReactNode {
  const texts = useDeskTexts();
  const { checked } = useDesk().snapshot;
  const wanted = checked?.files?.lines ?? 0;
  if (checked?.hasLines !== true || wanted === 0) return null;
  const { lines, isRunning } = checked;
  return (
    <div>
      <h3 className={styles.heading}>{texts.linesAsked(lines.length, wanted)}</h3>
      {isRunning && lines.length < wanted && (
        <progress className={styles.progress} aria-label={texts.checking} max={wanted} value={lines.length} />
      )}
      <ul className={styles.lines}>
        {lines.map((line) => (
          <LineResult key={`${line.role} ${line.host}`} line={line} />
        ))}
      </ul>
    </div>
  );
}

function LineResult({ line }: { readonly line: CheckedLine }): ReactNode {
  const texts = useDeskTexts();
  const { format } = useLocale();
  const { host, role, addresses, goodAddresses, timeMs, faults } = line;
  const status = goodAddresses === addresses ? 'up' : goodAddresses > 0 ? 'degraded' : 'down';
  return (
    <li>
      <StatusMark status={status} label={formatHost(host)} /> {role.startsWith('/') ? role : ''}
      {faults.length === 0 && <p>{texts.lineGood(addresses, format.ms(timeMs))}</p>}
      {faults.map((fault) => (
        <p key={fault.code}>{texts.lineFault(fault)}</p>
      ))}
    </li>
  );
}
