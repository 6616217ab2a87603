import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLocale } from '../locale/locale.ts';
import buttons from './buttons.module.css';
import styles from './dialog.module.css';

export type DialogProps = {
  readonly title: string;
  readonly children?: ReactNode;
  /** The text of the button that does it. */
  readonly action: string;
  /** It cannot be undone. */
  readonly isDangerous?: boolean;
  readonly isBlocked?: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
};

/** A question in front of the page. Escape and "Cancel" close it. */
export function Dialog({
  title,
  children,
  action,
  isDangerous = false,
  isBlocked = false,
  onAct,
  onClose,
}: DialogProps): ReactNode {
  const { texts } = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className={styles.dialog} ref={dialog} aria-labelledby={id} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          // It gives the focus back to where it was.
          dialog.current?.close();
          onAct();
        }}
      >
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {children}
        <div className={styles.actions}>
          <button className={buttons.button} type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
          <button className={isDangerous ? buttons.danger : buttons.main} disabled={isBlocked}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
