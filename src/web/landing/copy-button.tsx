import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import styles from './copy-button.module.css';
import { Icon } from '../kit/page/icon.tsx';
import { usePage } from '../kit/page/page-context.ts';

/** How long the button shows whether it worked. */
const NOTE_MS = 2_000;

/** Every page carries the style sheet, and few pages show a label. */
const LABELLED: CSSProperties = { color: 'var(--accent-text)', fontWeight: 600 };

type CopyButtonProps = {
  /** Undefined while there is nothing to copy. */
  readonly text: string | undefined;
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly isLabelled?: boolean;
};

/** Copies a text, and shows whether it worked. */
export function CopyButton({ text, label, isLabelled = false }: CopyButtonProps): ReactNode {
  const { texts } = usePage();
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed'>();

  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), NOTE_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => {
    if (text !== undefined) setOutcome((await copyText(text)) ? 'copied' : 'copyFailed');
  };

  return (
    <span className={styles.holder}>
      <button
        className={styles.button}
        type="button"
        data-silent="copy"
        style={isLabelled ? LABELLED : undefined}
        disabled={text === undefined}
        aria-label={isLabelled ? undefined : label}
        title={isLabelled ? undefined : label}
        onClick={() => void copy()}
      >
        <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
        {isLabelled && label}
      </button>
      <span className={styles.note} role="status">
        {outcome && texts[outcome]}
      </span>
    </span>
  );
}

/** Copies a text to the clipboard. False if the browser does not allow it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // In-app browsers and plain http pages lack this clipboard. Most have the old one.
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  // Deprecated, but the only way if the clipboard above is missing.
  // oxlint-disable-next-line typescript/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
