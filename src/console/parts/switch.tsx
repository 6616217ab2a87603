import type { ReactNode } from 'react';
import styles from './switch.module.css';

export type Choice<T extends string> = {
  readonly value: T;
  readonly text: string;
  /** The language of the text, where it is not that of the page. */
  readonly lang?: string;
  readonly title?: string;
  /** Shown instead of the text, which is its name. */
  readonly icon?: ReactNode;
};

/** A few choices side by side, of which one holds. */
export function Switch<T extends string>({
  name,
  choices,
  value,
  onChoose,
}: {
  readonly name: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}): ReactNode {
  return (
    <div className={styles.switch} role="group" aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          className={styles.choice}
          type="button"
          lang={choice.lang}
          title={choice.title ?? (choice.icon === undefined ? undefined : choice.text)}
          aria-label={choice.icon === undefined ? undefined : choice.text}
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.icon ?? choice.text}
        </button>
      ))}
    </div>
  );
}
