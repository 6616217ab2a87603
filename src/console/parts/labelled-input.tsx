import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

type LabelledInputProps = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly hint?: string | undefined;
};

/** An input with its label, and a hint below it. */
export function LabelledInput({ label, hint, ...input }: LabelledInputProps): ReactNode {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        className={styles.input}
        id={id}
        aria-describedby={hint === undefined ? undefined : hintId}
        {...input}
      />
      {hint !== undefined && (
        <p className={styles.help} id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

type LabelledSelectProps = SelectHTMLAttributes<HTMLSelectElement> & { readonly label: string };

/** A list to choose from, with its label. The options are its children. */
export function LabelledSelect({ label, className = '', ...select }: LabelledSelectProps): ReactNode {
  const id = useId();
  return (
    <div className={`${styles.field} ${className}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select className={styles.input} id={id} {...select} />
    </div>
  );
}

/** A checkbox with its label. */
export function Check({
  label,
  isChecked,
  isDisabled = false,
  onChange,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}): ReactNode {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
