import { type ReactNode, useState } from 'react';
import { useLocale } from '../locale/locale.ts';
import buttons from './buttons.module.css';
import kit from './view.module.css';

/** Copies a text, and says whether it worked. */
export function CopyButton({ label, text }: { readonly label?: string; readonly text: string }): ReactNode {
  const { texts } = useLocale();
  const [copied, setCopied] = useState<{ readonly text: string; readonly hasWorked: boolean }>();
  const copy = async (): Promise<void> => {
    const hasWorked = await navigator.clipboard.writeText(text).then(
      () => true,
      // The person, or their company, has forbidden it in the browser.
      () => false,
    );
    setCopied({ text, hasWorked });
  };
  // Browsers have no clipboard on plain http, except on loopback.
  if (!window.isSecureContext) return null;
  return (
    <>
      <button className={buttons.button} type="button" onClick={() => void copy()}>
        {label ?? texts.copy}
      </button>
      <span className={kit.note} role="status">
        {copied?.text === text && (copied.hasWorked ? texts.copied : texts.copyFailed)}
      </span>
    </>
  );
}
