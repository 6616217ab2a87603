import { type ReactNode, useId } from 'react';
import { useLocale } from '../../locale/locale.ts';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import { changeValue } from '../store/changes.ts';
import { type Place, nameOf, readValue } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';
import { type FieldForm, parseFieldText, writeFieldText } from './field-values.ts';
import styles from '../../parts/field.module.css';
import groupStyles from './field-groups.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { type ControlProps, FieldControl } from './field-control.tsx';
import { ProblemList } from './problem-list.tsx';
import { useProblems } from './use-problems.ts';

export type ValueFieldProps = {
  readonly place: Place;
  readonly spec: FieldSpec;
  readonly label: string;
  readonly help?: string | undefined;
  /** Where the label is. A group has a label of its own, and hides that of its only field. */
  readonly labelAt?: 'above' | 'beside' | 'hidden';
};

const LABEL_CLASSES = { above: styles.label, beside: undefined, hidden: 'visually-hidden' } as const;

/** One value of the draft: it is saved when the operator leaves the field. What cannot be saved stays in it. */
export function ValueField({ place, spec, label, help, labelAt = 'above' }: ValueFieldProps): ReactNode {
  const texts = useDeskTexts();
  const id = useId();
  const { control, problems, lock, isEmptyList } = useValue(place, spec);
  const helpId = `${id}-help`;
  const faultId = `${id}-fault`;
  const notes = [
    help,
    lock === 'owner' ? texts.ownerNote : undefined,
    // Last, because there is no full stop after the value.
    spec.fallback !== undefined && spec.fallback !== '' && spec.kind !== 'choice' && spec.kind !== 'switch'
      ? (isEmptyList ? texts.isEmptyList : texts.defaultIs)(spec.fallback.replaceAll('\n', ', '))
      : undefined,
  ].filter((note) => note !== undefined);
  const describedBy = [notes.length > 0 && helpId, problems.length > 0 && faultId].filter(Boolean).join(' ');
  const labelElement =
    spec.kind === 'switch' ? null : (
      <label className={LABEL_CLASSES[labelAt]} htmlFor={id}>
        {label}
      </label>
    );
  const body = (
    <>
      <FieldControl
        {...control}
        id={id}
        label={label}
        describedBy={describedBy || undefined}
        isInvalid={problems.length > 0}
      />
      {notes.length > 0 && (
        <p className={styles.help} id={helpId}>
          {texts.joinNotes(notes)}
        </p>
      )}
      {problems.length > 0 && <ProblemList problems={problems} id={faultId} />}
    </>
  );
  return labelAt === 'beside' ? (
    <div className={groupStyles.language}>
      {labelElement}
      <div className={styles.field}>{body}</div>
    </div>
  ) : (
    <div className={styles.field}>
      {labelElement}
      {body}
    </div>
  );
}

type UsedValue = {
  readonly control: Pick<ControlProps, 'spec' | 'text' | 'isDisabled' | 'onType' | 'onCommit'>;
  readonly problems: readonly string[];
  readonly lock: 'viewer' | 'owner' | undefined;
  /** An empty list is not the same as none: none has the default. */
  readonly isEmptyList: boolean;
};

/** Connects a field with its value in the draft. */
function useValue(place: Place, spec: FieldSpec): UsedValue {
  const { timeZone } = useLocale();
  const { store, snapshot, findLock } = useDesk();
  const { json, typed } = snapshot;
  const name = nameOf(place);
  const problems = useProblems(name, place);
  const form: FieldForm = { kind: spec.kind, timeZone, isRequired: spec.fallback === undefined };
  const value = readValue(json, place);
  const present = writeFieldText(value, form);
  const mine = typed[name];
  const lock = findLock(place.path);
  return {
    lock,
    problems,
    isEmptyList: Array.isArray(value) && value.length === 0,
    control: {
      spec,
      text: mine === undefined ? present : String(mine.value),
      isDisabled: lock !== undefined,
      onType: (text) => store.type(name, text),
      onCommit: commit,
    },
  };

  function commit(text: string): void {
    // While another text is on its way, this one must follow it.
    if (text === present && !store.isSaving(name)) return store.forget(name);
    const parsed = parseFieldText(text, form);
    if (parsed.kind !== 'value') return store.type(name, text, parsed.kind);
    store.type(name, text);
    void store.save(name, [changeValue(place, parsed.value)]);
  }
}
