import { type ReactNode, useId, useRef, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import { hrefOf } from '../route.ts';
import styles from './sessions.module.css';
import { useSessionTexts } from './texts.ts';

/** Erases a session, after a question, and goes back to the list. */
export function EraseButton({ session }: { readonly session: string }): ReactNode {
  const texts = useSessionTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [problem, setProblem] = useState<string>();
  const erase = async (): Promise<void> => {
    const answer = await fetch(RECORDING_PATHS.erase, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ session }),
    }).catch(() => undefined);
    if (answer?.ok) {
      location.hash = hrefOf({ view: 'sessions', part: '' });
      return;
    }
    // The session of the operator is over: the server answers with the login form instead of the page.
    if (answer?.status === 401) location.reload();
    setProblem(texts.failed);
  };
  return (
    <>
      <button className={styles.button} type="button" onClick={() => dialog.current?.showModal()}>
        {texts.erase}
      </button>
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      <dialog className={styles.dialog} ref={dialog} aria-labelledby={title}>
        <h2 id={title}>{texts.eraseSure}</h2>
        <p>{texts.eraseNote}</p>
        <div className={styles.actions}>
          <button className={styles.button} type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
          <button
            className={styles.dangerous}
            type="button"
            onClick={() => {
              dialog.current?.close();
              void erase();
            }}
          >
            {texts.erase}
          </button>
        </div>
      </dialog>
    </>
  );
}
