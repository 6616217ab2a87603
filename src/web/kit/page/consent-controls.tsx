import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { ConsentQuestion } from '../consent/create-consent.ts';
import { CONSENT_CLASS } from './consent.tsx';
import controls from './controls.module.css';

type QuestionProps = { readonly question: ConsentQuestion };

// Every page carries the style sheet, and few pages ask. So this is set here.
const SETTING: CSSProperties = { minHeight: 'var(--touch)', padding: 0, textDecoration: 'underline' };

/** Asks for consent. It covers nothing, and refusing is as easy as agreeing. Its style is in reserve-consent.ts. */
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

  useLayoutEffect(() => {
    // Makes room in the banner. For the first question, a script of the head has done so.
    document.documentElement.dataset['ask'] = '';
    return () => {
      delete document.documentElement.dataset['ask'];
    };
  }, []);

  useEffect(() => {
    // The focus moves to the question only if the visitor opened it, and then back to where it was.
    if (choice === 'unasked') return undefined;
    const opener = document.activeElement;
    bar.current?.focus();
    return () => {
      // Elsewhere if it was answered in another tab.
      const hasLostFocus = document.activeElement === document.body;
      if (hasLostFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [choice]);

  return (
    <section className={CONSENT_CLASS} aria-label={texts.consentTitle} tabIndex={-1} ref={bar}>
      <p>{texts.consentText}</p>
      <div>
        <button
          className={controls.pill}
          type="button"
          aria-pressed={choice === 'refused'}
          data-silent="consent"
          onClick={() => consent.choose('refused')}
        >
          {texts.consentRefuse}
        </button>
        <button
          className={controls.pill}
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
