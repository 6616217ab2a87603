import { type ReactNode, useState } from 'react';
import type { DeskVersion } from '../../../contract/desk/desk.ts';
import badge from '../../parts/badge.module.css';
import { Clock } from '../../parts/clock.tsx';
import { Panel } from '../../parts/panel.tsx';
import tables from '../../parts/table.module.css';
import kit from '../../parts/view.module.css';
import fieldStyles from '../../parts/field.module.css';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { useLocale } from '../../locale/locale.ts';
import buttons from '../../parts/buttons.module.css';
import { Difference } from '../parts/change-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useAnswer } from '../parts/use-answer.tsx';
import { WhyField } from '../parts/why-field.tsx';
import { useDesk } from '../store/desk-context.ts';
import styles from './versions-section.module.css';

/** How many versions are shown at first, and how many more with each click. */
const PAGE = 50;

type Pair = { readonly from: number; readonly to: number };

/** Everything that went live: who, when, from where and why; the difference of any two; and the way back. */
export function VersionsSection({ now }: { readonly now: number }): ReactNode {
  const texts = useDeskTexts();
  const { api, desk } = useDesk();
  const current = desk?.current.number ?? 0;
  const { data, instead } = useAnswer(String(current), api.listVersions);
  const [pair, setPair] = useState<Pair>();
  const [wanted, setWanted] = useState<number>();
  const [shown, setShown] = useState(PAGE);
  if (data === undefined) return instead;
  const { versions } = data;
  return (
    <Panel title={texts.sections.versions} note={texts.versionsNote} id="desk-versions">
      <Comparison versions={versions} pair={pair} onChoose={setPair} />
      <table className={`${tables.table} ${tables.stacked} ${styles.versions}`}>
        <thead>
          <tr>
            <th scope="col">{texts.version}</th>
            <th scope="col">{texts.when}</th>
            <th scope="col">{texts.who}</th>
            <th scope="col">{texts.from}</th>
            <th scope="col">{texts.reason}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {versions.slice(0, shown).map((version, index) => (
            <VersionRow
              key={version.number}
              version={version}
              before={versions[index + 1]?.number}
              isCurrent={version.number === current}
              now={now}
              onCompare={setPair}
              onRestore={setWanted}
            />
          ))}
        </tbody>
      </table>
      {versions.length > shown && (
        <p className={styles.older}>
          <button className={buttons.button} type="button" onClick={() => setShown(shown + PAGE)}>
            {texts.showOlder(versions.length - shown)}
          </button>
        </p>
      )}
      {wanted !== undefined && (
        <RestoreDialog pair={{ from: current, to: wanted }} onClose={() => setWanted(undefined)} />
      )}
    </Panel>
  );
}

function VersionRow({
  version: { number, at, by, from, why },
  before,
  isCurrent,
  now,
  onCompare,
  onRestore,
}: {
  readonly version: DeskVersion;
  /** The number of the version before it. Undefined for the first. */
  readonly before: number | undefined;
  readonly isCurrent: boolean;
  readonly now: number;
  readonly onCompare: (pair: Pair) => void;
  readonly onRestore: (number: number) => void;
}): ReactNode {
  const texts = useDeskTexts();
  const { texts: consoleTexts } = useLocale();
  const { isViewer } = useDesk();
  return (
    <tr data-version={number}>
      <th scope="row">
        {number}
        {isCurrent && <span className={badge.badge}>{texts.current}</span>}
      </th>
      <td>
        <Clock time={at} now={now} />
      </td>
      <td>{by === '' ? texts.server : consoleTexts.actor(by)}</td>
      <td className={styles.origin}>{texts.origins[from]}</td>
      <td className={styles.why}>
        {why === '' ? <span className={kit.note}>{texts.withoutWhy[from]}</span> : why}
      </td>
      <td className={styles.actions}>
        <div>
          {before !== undefined && (
            <button
              className={buttons.button}
              type="button"
              aria-label={texts.showDifference(number)}
              onClick={() => onCompare({ from: before, to: number })}
            >
              {texts.changed}
            </button>
          )}
          {!isCurrent && !isViewer && (
            <button
              className={buttons.button}
              type="button"
              aria-label={texts.restoreVersion(number)}
              onClick={() => onRestore(number)}
            >
              {texts.restore}
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

function Comparison({
  versions,
  pair,
  onChoose,
}: {
  readonly versions: readonly DeskVersion[];
  readonly pair: Pair | undefined;
  readonly onChoose: (pair: Pair) => void;
}): ReactNode {
  const texts = useDeskTexts();
  const shown = pair ?? { from: versions[1]?.number ?? 0, to: versions[0]?.number ?? 0 };
  if (versions.length < 2) return null;
  const choose = (side: keyof Pair) => (
    <label className={styles.side}>
      {side === 'from' ? texts.compareFrom : texts.compareTo}{' '}
      <select
        className={fieldStyles.input}
        value={shown[side]}
        onChange={({ currentTarget }) => onChoose({ ...shown, [side]: Number(currentTarget.value) })}
      >
        {versions.map(({ number }) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div className={styles.comparison} role="group" aria-label={texts.compare}>
      <div className={buttons.row}>
        {choose('from')}
        {choose('to')}
      </div>
      <div role="status">
        <h3 className={fieldStyles.label}>{texts.difference(shown.from, shown.to)}</h3>
        <Difference {...shown} />
      </div>
    </div>
  );
}

function RestoreDialog({ pair, onClose }: { readonly pair: Pair; readonly onClose: () => void }): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot } = useDesk();
  const [why, setWhy] = useState('');
  return (
    <Dialog
      title={texts.restoreTitle(pair.to)}
      action={texts.restoreNow}
      isBlocked={snapshot.isBusy}
      onAct={() => void store.restore(pair.to, why)}
      onClose={onClose}
    >
      <p>{texts.restoreNote}</p>
      <Difference {...pair} />
      <WhyField why={why} onChange={setWhy} />
    </Dialog>
  );
}
