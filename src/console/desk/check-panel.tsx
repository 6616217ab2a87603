import type { ReactNode } from 'react';
import { formatHost } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import styles from './check-panel.module.css';
import type { DeskTexts } from './locale/en.ts';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import { FaultList } from './parts/fault-list.tsx';
import type { Checked, CheckedLine } from './store/draft-snapshot.ts';
import { useDesk } from './store/desk-context.ts';

/** What the check has found: in the files at once, and of the lines one by one. */
export function CheckPanel(): ReactNode {
  const texts = useDeskTexts();
  const { checked } = useDesk().snapshot;
  // After each change the files are checked without being asked. That is only worth telling if something is wrong.
  if (checked === undefined || (!checked.hasLines && !checked.files?.faults.length)) return null;
  const { ownerKeys = [] } = checked.files ?? {};
  return (
    <Panel title={texts.checkTitle} id="desk-check">
      <div className={kit.stack}>
        <p role="status">{describeCheck(checked, texts)}</p>
        {ownerKeys.length > 0 && <p>{texts.ownerKeys(ownerKeys.join(', '))}</p>}
        <Findings checked={checked} />
      </div>
    </Panel>
  );
}

/** Says in a sentence how far the check is, and what it has found. */
export function describeCheck(checked: Checked | undefined, texts: DeskTexts): string {
  if (checked === undefined || (checked.isRunning && !checked.areFilesNew)) return texts.checking;
  const { files, lines, isRunning, hasFailed } = checked;
  if (hasFailed) return texts.checkFailed;
  const faults = files?.faults.length ?? 0;
  const count = faults + lines.filter((line) => line.faults.length > 0).length;
  if (count > 0)
    return texts.joinNotes([texts.faultsCount(count), ...(faults > 0 ? [texts.cannotPublish] : [])]);
  if (isRunning) return texts.checkingLines;
  const warnings = files?.warnings.length ?? 0;
  return warnings > 0 ? texts.warningsCount(warnings) : texts.checkGood;
}

/** The faults and the warnings that a check has found, and what the lines have answered. */
export function Findings({ checked }: { readonly checked: Checked }): ReactNode {
  const texts = useDeskTexts();
  const { faults = [], warnings = [], knownWarnings = [] } = checked.files ?? {};
  return (
    <>
      {faults.length > 0 && (
        <div className={styles.faults} role="alert">
          <h3 className={styles.heading}>{texts.faults}</h3>
          <FaultList faults={faults} />
        </div>
      )}
      {warnings.length > 0 && (
        <div className={styles.warnings}>
          <h3 className={styles.heading}>{texts.warnings}</h3>
          <FaultList faults={warnings} />
        </div>
      )}
      {knownWarnings.length > 0 && (
        <details className={kit.details}>
          <summary>{texts.knownWarnings(knownWarnings.length)}</summary>
          <FaultList faults={knownWarnings} />
        </details>
      )}
      <CheckedLines checked={checked} />
    </>
  );
}

/** What the new and changed lines of the draft have answered, as far as they were asked. */
function CheckedLines({ checked }: { readonly checked: Checked }): ReactNode {
  const texts = useDeskTexts();
  const wanted = checked.files?.lines ?? 0;
  if (!checked.hasLines || wanted === 0) return null;
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
