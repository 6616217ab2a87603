import type { ReactNode } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import styles from '../../parts/field.module.css';
import type { FieldSpec } from '../store/field-specs.ts';

export type ControlProps = {
  readonly id: string;
  readonly label: string;
  readonly spec: FieldSpec;
  readonly text: string;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onType: (text: string) => void;
  /** The operator is done with it. */
  readonly onCommit: (text: string) => void;
};

const TYPES: Partial<Readonly<Record<FieldSpec['kind'], string>>> = { moment: 'datetime-local', url: 'url' };

/** The control that fits the kind of a value. */
export function FieldControl(props: ControlProps): ReactNode {
  const { id, spec, text, isDisabled, isInvalid, describedBy, onType, onCommit } = props;
  const { suggestions = [] } = spec;
  const hasSuggestions = suggestions.length > 0;
  const shared = {
    id,
    className: styles.input,
    disabled: isDisabled,
    placeholder: spec.placeholder,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  };
  switch (spec.kind) {
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'switch':
      return (
        <label className={styles.check}>
          <input
            id={id}
            type="checkbox"
            disabled={isDisabled}
            checked={(text || spec.fallback) === 'true'}
            aria-describedby={describedBy}
            onChange={({ currentTarget }) => onCommit(String(currentTarget.checked))}
          />
          {props.label}
        </label>
      );
    case 'texts':
    case 'numbers':
    case 'long-text':
      return (
        <textarea
          {...shared}
          rows={Math.min(12, Math.max(2, text.split('\n').length))}
          spellCheck={spec.kind === 'long-text'}
          value={text}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
          onBlur={({ currentTarget }) => onCommit(currentTarget.value)}
        />
      );
    case 'text':
    case 'url':
    case 'number':
    case 'moment':
      return (
        <>
          <input
            {...shared}
            list={hasSuggestions ? `${id}-suggestions` : undefined}
            type={TYPES[spec.kind] ?? 'text'}
            inputMode={spec.kind === 'number' ? 'numeric' : undefined}
            value={text}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
            onBlur={({ currentTarget }) => onCommit(currentTarget.value)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') onCommit(currentTarget.value);
            }}
          />
          {hasSuggestions && (
            <datalist id={`${id}-suggestions`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      );
  }
}

function ChoiceControl({
  id,
  spec,
  text,
  isDisabled,
  isInvalid,
  describedBy,
  onCommit,
}: ControlProps): ReactNode {
  const texts = useDeskTexts();
  const chosen = text || spec.fallback || '';
  const choices = spec.choices ?? [];
  return (
    <select
      className={styles.input}
      id={id}
      disabled={isDisabled}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      value={chosen}
      onChange={({ currentTarget }) => onCommit(currentTarget.value)}
    >
      {/* A wrong value of the file is shown, too. */}
      {(choices.includes(chosen) ? choices : [chosen, ...choices]).map((choice) => (
        <option key={choice} value={choice}>
          {spec.names?.[choice] ?? texts.choices[choice] ?? choice}
        </option>
      ))}
    </select>
  );
}
