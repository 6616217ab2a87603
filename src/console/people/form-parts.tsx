import { type ReactNode, useId, useRef } from 'react';
import { ROLES, type Role } from '../../contract/roles.ts';
import buttons from '../parts/buttons.module.css';
import { CopyButton } from '../parts/copy-button.tsx';
import { LabelledSelect } from '../parts/labelled-input.tsx';
import kit from '../parts/view.module.css';
import styles from './people.module.css';
import { usePeopleTexts } from './texts.ts';

/** What was typed into a form, and how to empty it: only if nothing else was typed meanwhile. */
export type Sent = { readonly read: (name: string) => string; readonly reset: () => void };

/** A form that a script sends, one time after the other: the second click of a double click sends nothing. */
export function Form({
  className = styles.form,
  label,
  onSend,
  children,
}: {
  readonly className?: string | undefined;
  readonly label?: string;
  readonly onSend: (sent: Sent) => Promise<void>;
  readonly children: ReactNode;
}): ReactNode {
  const isSending = useRef(false);
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSending.current) return;
        isSending.current = true;
        const form = event.currentTarget;
        const fields = new FormData(form);
        const read = (name: string): string => {
          const value = fields.get(name);
          return typeof value === 'string' ? value : '';
        };
        const reset = (): void => {
          const [sent, now] = [fields, new FormData(form)].map((each) => JSON.stringify([...each]));
          if (sent === now) form.reset();
        };
        void onSend({ read, reset }).finally(() => {
          isSending.current = false;
        });
      }}
    >
      {children}
    </form>
  );
}

/** The three roles to choose from. */
export function RoleField({ label }: { readonly label: string }): ReactNode {
  return (
    <LabelledSelect label={label} name="role" defaultValue="viewer">
      <RoleOptions />
    </LabelledSelect>
  );
}

export function RoleOptions(): ReactNode {
  const { roles } = usePeopleTexts();
  return ROLES.map((role: Role) => (
    <option key={role} value={role}>
      {roles[role]}
    </option>
  ));
}

/** A secret that is shown once, with a button that copies it. */
export function ShownOnce({
  title,
  note,
  text,
  onClose,
}: {
  readonly title: string;
  readonly note: string;
  readonly text: string;
  readonly onClose: () => void;
}): ReactNode {
  const texts = usePeopleTexts();
  const id = useId();
  return (
    <section className={styles.shownOnce} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p className={kit.note}>{note}</p>
      <pre className={styles.secret}>
        <code>{text}</code>
      </pre>
      <div className={buttons.row}>
        <CopyButton text={text} />
        <button className={buttons.button} type="button" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </section>
  );
}
