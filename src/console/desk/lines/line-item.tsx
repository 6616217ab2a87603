import { type ReactNode, useState } from 'react';
import type { ConsoleLine } from '../../../contract/console.ts';
import { formatHost } from '../../format/format-names.ts';
import { StatusMark } from '../../parts/status-mark.tsx';
import badge from '../../parts/badge.module.css';
import fieldStyles from '../../parts/field.module.css';
import { findNeighbour, focusOn } from '../../parts/find-neighbour.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import buttons from '../../parts/buttons.module.css';
import type { Change } from '../store/changes.ts';
import { SITE_FILE } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { type LineEntry, moveLine, nameForm, removeLine } from './line-entries.ts';
import { LineSettings } from './line-settings.tsx';
import styles from './lines-section.module.css';
import { ReplaceForm } from './replace-form.tsx';

type LineItemProps = {
  readonly line: LineEntry;
  /** Its place in the list of the file, from 0. */
  readonly place: number;
  /** How many entries that list has. */
  readonly count: number;
  /** What the server knows of it; undefined if it is not live. */
  readonly live: ConsoleLine | undefined;
  /** Whether the server has said which lines are live. */
  readonly isKnown: boolean;
  readonly isLocked: boolean;
  /** True if a link asked to replace this line. */
  readonly isWanted: boolean;
  /** Asks whether the draft is to go live. */
  readonly onPublish: () => void;
};

type OpenPart = 'replace' | 'settings';
type MakeChange = (makeEdits: Extract<Change, { kind: 'edit' }>['makeEdits']) => Promise<boolean>;

/** One line: its state, what it is replaced with, its settings. */
export function LineItem(props: LineItemProps): ReactNode {
  const { line, place, live, isKnown, isLocked, isWanted, onPublish } = props;
  const texts = useDeskTexts();
  const { store, findFaults } = useDesk();
  const [open, setOpen] = useState<OpenPart | undefined>(isWanted && !isLocked ? 'replace' : undefined);
  const host = formatHost(line.host);
  const faults = findFaults({ file: SITE_FILE, path: ['lines', 'hosts', place] });
  const toggle = (part: OpenPart): void => setOpen(open === part ? undefined : part);
  const change: MakeChange = (makeEdits) =>
    store.save(`line ${line.host}`, [{ kind: 'edit', file: SITE_FILE, makeEdits }]);
  const remove = async (button: Element): Promise<void> => {
    const neighbour = findNeighbour(button.closest('li'));
    if (!(await change((json) => removeLine(json, line.host)))) return;
    for (const form of ['replace', 'settings'] as const) store.forget(nameForm(form, line.host));
    focusOn(neighbour);
  };
  return (
    <li className={styles.line} data-line={host}>
      <div className={styles.head}>
        <span className={styles.number}>{place + 1}</span>
        <span className={styles.host}>
          {host}
          {line.weight !== undefined && line.weight !== 1 && (
            <span className={badge.badge}>
              {texts.weight} {line.weight}
            </span>
          )}
          {line.noWWW === true && <span className={badge.badge}>noWWW</span>}
          {line.drain === true && <span className={badge.badge}>{texts.drained}</span>}
        </span>
        <span className={styles.state}>
          {live ? <StatusMark status={live.status} /> : isKnown && texts.notLive}
        </span>
        {!isLocked && <Actions {...props} open={open} onToggle={toggle} change={change} />}
      </div>
      {faults.map(({ sentences }) => (
        <p key={sentences.en} className={fieldStyles.fault}>
          {sentences[texts.language]}
        </p>
      ))}
      {open === 'replace' && <ReplaceForm line={line} onPublish={onPublish} />}
      {open === 'settings' && <LineSettings line={line} onRemove={(button) => void remove(button)} />}
    </li>
  );
}

/** The buttons of a line. */
function Actions({
  line,
  place,
  count,
  live,
  open,
  onToggle,
  change,
}: LineItemProps & {
  readonly open: OpenPart | undefined;
  readonly onToggle: (part: OpenPart) => void;
  readonly change: MakeChange;
}): ReactNode {
  const texts = useDeskTexts();
  const host = formatHost(line.host);
  const move = async (button: HTMLButtonElement, by: -1 | 1): Promise<void> => {
    await change((json) => moveLine(json, line.host, by));
    // A browser takes the focus from what moves. At the end of the list, only the other button works.
    const other = button.parentElement?.querySelector<HTMLButtonElement>('button:last-child:enabled');
    (button.disabled ? other : button)?.focus();
  };
  return (
    <span className={styles.actions}>
      <button
        className={live?.status === 'down' ? buttons.main : buttons.button}
        type="button"
        aria-expanded={open === 'replace'}
        aria-label={texts.replaceLine(host)}
        onClick={() => onToggle('replace')}
      >
        {texts.replace}
      </button>
      <button
        className={buttons.quiet}
        type="button"
        aria-expanded={open === 'settings'}
        aria-label={texts.editLine(host)}
        onClick={() => onToggle('settings')}
      >
        {texts.edit}
      </button>
      <button
        className={buttons.quiet}
        type="button"
        aria-label={texts.moveUp(host)}
        disabled={place === 0}
        onClick={({ currentTarget }) => void move(currentTarget, -1)}
      >
        ↑
      </button>
      <button
        className={buttons.quiet}
        type="button"
        aria-label={texts.moveDown(host)}
        disabled={place === count - 1}
        onClick={({ currentTarget }) => void move(currentTarget, 1)}
      >
        ↓
      </button>
    </span>
  );
}
