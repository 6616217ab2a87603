import { type ReactNode, useId, useRef } from 'react';
import { TARGET_PATTERN, targetFilePath } from '../../../contract/paths.ts';
import { readTargetFile } from '../../../contract/site/target-file.ts';
import { Empty, Panel } from '../../parts/panel.tsx';
import { splitList } from '../fields/field-values.ts';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import { useTyped } from '../fields/use-typed.ts';
import fieldStyles from '../../parts/field.module.css';
import { findNeighbour, focusOn } from '../../parts/find-neighbour.ts';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import buttons from '../../parts/buttons.module.css';
import { useDesk } from '../store/desk-context.ts';
import { listTargets } from '../store/draft-files.ts';
import { AddForm } from '../parts/add-form.tsx';
import groups from '../parts/groups.module.css';

/** The `/t` targets: a file each, with its addresses. */
export function TargetsSection(): ReactNode {
  const texts = useDeskTexts();
  const { snapshot, isViewer } = useDesk();
  const names = listTargets(snapshot.draft?.json ?? {});
  return (
    <Panel title={texts.sections.targets} note={texts.targetsNote} id="desk-targets">
      <div className={groups.groups}>
        {names.length === 0 && <Empty>{texts.noTargets}</Empty>}
        {names.map((name) => (
          <Target key={name} name={name} isLocked={isViewer} />
        ))}
        {!isViewer && <NewTarget names={names} />}
      </div>
    </Panel>
  );
}

function Target({ name, isLocked }: { readonly name: string; readonly isLocked: boolean }): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot } = useDesk();
  const id = useId();
  const file = fileOf(name);
  const key = `target ${name}`;
  const present = readAddresses(snapshot.draft?.json[file] ?? '').join('\n');
  const { value: text } = useTyped(key, present);
  const problems = useProblems(key, { file, path: [] });
  const field = useRef<HTMLDivElement>(null);
  const remove = async (): Promise<void> => {
    const neighbour = findNeighbour(field.current);
    if (!(await store.save(`remove ${key}`, [{ kind: 'remove', path: file }]))) return;
    // A refused text would stay without its field.
    store.forget(key);
    focusOn(neighbour);
  };
  return (
    <div className={fieldStyles.field} ref={field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {texts.target(name)}
      </label>
      <textarea
        className={fieldStyles.input}
        id={id}
        rows={Math.min(12, Math.max(2, text.split('\n').length))}
        spellCheck={false}
        disabled={isLocked}
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby={`${id}-fault`}
        value={text}
        onChange={({ currentTarget }) => store.type(key, currentTarget.value)}
        onBlur={() => {
          if (text === present && !store.isSaving(key)) store.forget(key);
          else void store.save(key, [{ kind: 'put', path: file, content: writeAddresses(text) }]);
        }}
      />
      <ProblemList problems={problems} id={`${id}-fault`} />
      {!isLocked && (
        <p>
          <button
            className={buttons.danger}
            type="button"
            aria-label={texts.removeTarget(name)}
            onClick={() => void remove()}
          >
            {texts.remove}
          </button>
        </p>
      )}
    </div>
  );
}

const NEW = 'new target';

type NewText = { readonly name: string; readonly addresses: string };

function NewTarget({ names }: { readonly names: readonly string[] }): ReactNode {
  const texts = useDeskTexts();
  const { store } = useDesk();
  const id = useId();
  const { value: text, problem } = useTyped<NewText>(NEW, { name: '', addresses: '' });
  return (
    <AddForm
      title={texts.addTarget}
      problemId={`${id}-fault`}
      problem={problem}
      action={texts.addTarget}
      isBlocked={text.name === '' || text.addresses.trim() === ''}
      onAdd={add}
    >
      <LabelledInput
        label={texts.targetName}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={text.name}
        aria-describedby={`${id}-fault`}
        onChange={({ currentTarget }) => type({ ...text, name: currentTarget.value })}
      />
      <div className={fieldStyles.field}>
        <label className={fieldStyles.label} htmlFor={`${id}-addresses`}>
          {texts.addresses}
        </label>
        <textarea
          className={fieldStyles.input}
          id={`${id}-addresses`}
          rows={3}
          spellCheck={false}
          value={text.addresses}
          onChange={({ currentTarget }) => type({ ...text, addresses: currentTarget.value })}
        />
      </div>
    </AddForm>
  );

  function type(next: NewText): void {
    if (next.name === '' && next.addresses === '') store.forget(NEW);
    else store.type(NEW, next);
  }

  function add(): void {
    const name = text.name.trim();
    if (!TARGET_PATTERN.test(name)) return store.type(NEW, text, 'targetNameWrong');
    if (names.includes(name)) return store.type(NEW, text, 'targetExists');
    void store.save(NEW, [{ kind: 'put', path: fileOf(name), content: writeAddresses(text.addresses) }]);
  }
}

/** The path of a target's file in the site folder. */
function fileOf(name: string): string {
  return targetFilePath(name).slice(1);
}

function readAddresses(json: string): readonly string[] {
  try {
    return readTargetFile(json).map(String);
  } catch {
    return []; // Only the JSON editor can show it.
  }
}

function writeAddresses(text: string): Blob {
  const addresses = splitList(text).map((address, index) => [String(index + 1), address] as const);
  return new Blob([`${JSON.stringify(Object.fromEntries(addresses), null, 2)}\n`]);
}
