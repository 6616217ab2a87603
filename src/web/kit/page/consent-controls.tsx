import { type CSSProperties, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsentQuestion } from '../consent/create-consent.ts';
import controls from './controls.module.css';

type QuestionProps = { readonly question: ConsentQuestion };

// Every page carries the style sheet, and few pages ask this question. So what only the question needs is set here.
/** The hint for in-app browsers is in the same place, and waits below the question. */
const BAR: CSSProperties = { zIndex: 4 };
const WHOLE_ROW: CSSProperties = { gridColumn: '1 / -1' };
const CHOICES: CSSProperties = {
  ...WHOLE_ROW,
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 'var(--space-2)',
};
const CHOICE: CSSProperties = { justifyContent: 'center' };
const CHOSEN: CSSProperties = { ...CHOICE, borderColor: 'var(--accent-text)', color: 'var(--accent-text)' };
const SETTING: CSSProperties = { minHeight: 'var(--touch)', padding: 0, textDecoration: 'underline' };

/** Asks for consent. It covers no line, and refusing is as easy as agreeing. */
export function ConsentBar({ question }: QuestionProps): ReactNode {
  const { consent } = question;
  const { isAsking } = useSyncExternalStore(consent.subscribe, consent.getSnapshot);
  return isAsking && <Question question={question} />;
}

/** Lets a visitor who has answered change the answer. */
export function ConsentSetting({ question }: QuestionProps): ReactNode {
  const { consent, texts } = question;
  const { choice } = useSyncExternalStore(consent.subscribe, consent.getSnapshot);
  if (choice === 'unasked') return null;
  return (
    <button type="button" style={SETTING} data-silent="consent" onClick={consent.askAgain}>
      {texts.consentTitle}
    </button>
  );
}

function Question({ question }: QuestionProps): ReactNode {
  const { consent, texts } = question;
  const { choice } = consent.getSnapshot();
  const bar = useRef<HTMLElement>(null);

  useEffect(() => {
    // The focus moves to the question only if the visitor opened it.
    if (choice !== 'unasked') bar.current?.focus();
  }, [choice]);

  return (
    <section
      className={controls.floating}
      style={BAR}
      aria-label={texts.consentTitle}
      tabIndex={-1}
      ref={bar}
    >
      <p style={WHOLE_ROW}>{texts.consentText}</p>
      <div style={CHOICES}>
        <button
          className={controls.pill}
          style={choice === 'refused' ? CHOSEN : CHOICE}
          type="button"
          aria-pressed={choice === 'refused'}
          data-silent="consent"
          onClick={() => consent.choose('refused')}
        >
          {texts.consentRefuse}
        </button>
        <button
          className={controls.pill}
          style={choice === 'granted' ? CHOSEN : CHOICE}
          type="button"
          aria-pressed={choice === 'granted'}
          data-silent="consent"
          onClick={() => consent.choose('granted')}
        >
          {texts.consentAgree}
        </button>
      </div>
    </section>
  );
}
