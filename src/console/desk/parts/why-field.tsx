import { type ReactNode, useId } from 'react';
import { useDeskTexts } from '../locale/use-desk-texts.ts';
import styles from '../fields/field.module.css';

const MAX_CHARS = 200;

/** Asks for the line of text that the list of versions shows. */
export function WhyField({
  why,
  onChange,
}: {
  readonly why: string;
  readonly onChange: (why: string) => void;
}): ReactNode {
  const texts = useDeskTexts();
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {texts.why}
      </label>
      <input
        className={styles.input}
        id={id}
        maxLength={MAX_CHARS}
        placeholder={texts.whyHint}
        value={why}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
