import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsentQuestion } from '../landing/start-observation.ts';
import styles from './consent-controls.module.css';

type QuestionProps = { readonly question: ConsentQuestion };

/** Asks whether the visitor lets us watch. It stands in nobody's way, and no is as easy as yes. */
export function ConsentBar({ question }: QuestionProps): ReactNode {
  const { consent } = question;
  const { isAsking } = useSyncExternalStore(consent.subscribe, consent.getSnapshot);
  return isAsking && <Question question={question} />;
}

/** The way back to the question, for whoever has answered it. */
export function ConsentSetting({ question }: QuestionProps): ReactNode {
  const { consent, texts } = question;
  const { choice } = useSyncExternalStore(consent.subscribe, consent.getSnapshot);
  if (choice === 'unasked') return null;
  return (
    <button className={styles.setting} type="button" data-silent="consent-change" onClick={consent.askAgain}>
      {texts.consentTitle}
    </button>
  );
}

function Question({ question }: QuestionProps): ReactNode {
  const { consent, texts } = question;
  const { choice } = consent.getSnapshot();
  const bar = useRef<HTMLElement>(null);

  useEffect(() => {
    // Who asked to be asked again is taken there; everybody else is left where they are.
    if (choice !== 'unasked') bar.current?.focus();
  }, [choice]);

  return (
    <section className={styles.bar} aria-label={texts.consentTitle} tabIndex={-1} ref={bar}>
      <p>{texts.consentText}</p>
      <div className={styles.choices}>
        <button
          type="button"
          data-silent="consent-refuse"
          aria-pressed={choice === 'refused'}
          onClick={() => consent.choose('refused')}
        >
          {texts.consentRefuse}
        </button>
        <button
          type="button"
          data-silent="consent-agree"
          aria-pressed={choice === 'granted'}
          onClick={() => consent.choose('granted')}
        >
          {texts.consentAgree}
        </button>
      </div>
    </section>
  );
}
