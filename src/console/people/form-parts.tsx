import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { ROLES, type Role } from '../../contract/roles.ts';
import kit from '../parts/view.module.css';
import styles from './people.module.css';
import { usePeopleTexts } from './texts.ts';

/** What was typed into a form, and how to empty it. */
export type Sent = { readonly read: (name: string) => string; readonly reset: () => void };

/** A form that a script sends. */
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
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const fields = new FormData(form);
        const read = (name: string): string => {
          const value = fields.get(name);
          return typeof value === 'string' ? value : '';
        };
        void onSend({ read, reset: () => form.reset() });
      }}
    >
      {children}
    </form>
  );
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> & { readonly label: string; readonly hint?: string };

/** An input with its label, and a hint below it. */
export function Field({ label, hint, ...input }: FieldProps): ReactNode {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={hint === undefined ? undefined : hintId} {...input} />
      {hint !== undefined && (
        <p className={kit.note} id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The three roles to choose from. */
export function RoleField({ label }: { readonly label: string }): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} name="role" defaultValue="viewer">
        <RoleOptions />
      </select>
    </div>
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

/** Why something was refused. */
export function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  return (
    <p className={kit.problem} role="alert">
      {text}
    </p>
  );
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
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <section className={styles.shownOnce} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p className={kit.note}>{note}</p>
      <pre className={styles.secret}>
        <code>{text}</code>
      </pre>
      <div className={styles.buttons}>
        {/* Browsers have no clipboard on plain http, except on loopback. */}
        {window.isSecureContext && (
          <button type="button" onClick={() => void copy()}>
            {isCopied ? texts.copied : texts.copy}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </section>
  );
}
