import { type ReactNode, useState } from 'react';
import { useLocale } from '../locale/locale.ts';
import buttons from './buttons.module.css';
import kit from './view.module.css';

/** Copies a text, and says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const { texts } = useLocale();
  const [copied, setCopied] = useState<string>();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  // Browsers have no clipboard on plain http, except on loopback.
  if (!window.isSecureContext) return null;
  return (
    <>
      <button className={buttons.button} type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span className={kit.note} role="status">
        {copied === text && texts.copied}
      </span>
    </>
  );
}
