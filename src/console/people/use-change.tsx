import { type ReactNode, type RefObject, createContext, useContext, useId, useRef, useState } from 'react';
import type { AccessKind } from '../../contract/people.ts';
import { PEOPLE_PATHS } from '../../contract/paths.ts';
import { type Answer, sendChange } from '../live/call-server.ts';
import { describeRefusal } from '../live/describe-refusal.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import dialogStyles from '../parts/dialog.module.css';
import { LabelledInput } from '../parts/labelled-input.tsx';
import { Problem } from '../parts/panel.tsx';
import { Form, type Sent } from './form-parts.tsx';
import { usePeopleTexts } from './texts.ts';

/** Asks for password and code. Resolves with false if the person changed their mind. */
type Confirm = () => Promise<boolean>;

export type Changes = {
  /** Sends a change. Undefined if it was refused: then `problem` says why. */
  readonly send: <T>(path: string, body: object) => Promise<T | undefined>;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
};

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Sends changes, one after the other. If the server wants password and code once more, it asks for them. */
export function useChange(): Changes {
  const confirm = useContext(ConfirmContext);
  const texts = usePeopleTexts();
  const { language } = useLocale();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  return {
    problem,
    isBusy,
    send: async <T,>(path: string, body: object) => {
      setIsBusy(true);
      setProblem(undefined);
      const answer = await sendConfirmed<T>(path, body);
      setIsBusy(false);
      if (answer.kind === 'done') return answer.data;
      if (!isUnconfirmed(answer)) setProblem(describeRefusal(answer, language, texts.problems));
      return undefined;
    },
  };

  async function sendConfirmed<T>(path: string, body: object): Promise<Answer<T>> {
    const answer = await sendChange<T>(path, body);
    return isUnconfirmed(answer) && (await confirm()) ? sendChange<T>(path, body) : answer;
  }
}

/** Whether the server wants password and code once more. */
function isUnconfirmed(answer: Answer<unknown>): boolean {
  return answer.kind === 'refused' && answer.code === 'confirm-required';
}

/** Makes `useChange` work in the views below it. */
export function ConfirmProvider({
  kind,
  children,
}: {
  readonly kind: AccessKind;
  readonly children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = useRef<Promise<boolean>>(undefined);
  const settle = useRef<(isConfirmed: boolean) => void>(undefined);
  const confirm: Confirm = () => {
    // Changes that are refused at the same time have one question.
    asked.current ??= new Promise((resolve) => {
      settle.current = resolve;
      dialog.current?.showModal();
    });
    return asked.current;
  };
  const end = (isConfirmed: boolean): void => {
    settle.current?.(isConfirmed);
    asked.current = undefined;
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      <ConfirmDialog dialog={dialog} kind={kind} onEnd={end} />
    </ConfirmContext>
  );
}

function ConfirmDialog({
  dialog,
  kind,
  onEnd,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly kind: AccessKind;
  readonly onEnd: (isConfirmed: boolean) => void;
}): ReactNode {
  const texts = usePeopleTexts();
  const { texts: consoleTexts, language } = useLocale();
  const title = useId();
  const [problem, setProblem] = useState<string>();
  const hasCode = kind === 'password';
  const submit = async ({ read }: Sent): Promise<void> => {
    const answer = await sendChange(PEOPLE_PATHS.confirm, { password: read('password'), code: read('code') });
    if (answer.kind !== 'done') return setProblem(describeRefusal(answer, language, texts.problems));
    onEnd(true);
    dialog.current?.close();
  };
  return (
    <dialog
      className={dialogStyles.dialog}
      ref={dialog}
      aria-labelledby={title}
      onClose={({ currentTarget }) => {
        // The browser says it a moment later, when the next question may be open.
        if (currentTarget.open) return;
        // After a success this is too late to matter.
        onEnd(false);
        setProblem(undefined);
        currentTarget.querySelector('form')?.reset();
      }}
    >
      <Form className={dialogStyles.form} onSend={submit}>
        <h2 className={dialogStyles.title} id={title}>
          {texts.confirmTitle}
        </h2>
        <p>{texts.confirmNote}</p>
        <LabelledInput
          label={hasCode ? texts.password : texts.confirmToken}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {hasCode && (
          <LabelledInput
            label={texts.code}
            name="code"
            hint={texts.codeHint}
            autoComplete="one-time-code"
            required
          />
        )}
        <Problem text={problem} />
        <div className={dialogStyles.actions}>
          <button className={buttons.button} type="button" onClick={() => dialog.current?.close()}>
            {consoleTexts.cancel}
          </button>
          <button className={buttons.main}>{texts.confirm}</button>
        </div>
      </Form>
    </dialog>
  );
}
