import { type CSSProperties, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import panel from '../../landing/lines/line-panel.module.css';
import hint from '../../landing/notices/in-app-hint.module.css';
import type { ConsentQuestion } from '../../landing/start-observation.ts';

type QuestionProps = { readonly question: ConsentQuestion };

// What every page carries in its style sheet is used again, and the rest is set here: few pages ask this question.
/** At the end of the page, and in sight until that is reached, so that the last of the footer is never covered. */
const BAR: CSSProperties = {
  position: 'sticky',
  inset: 'auto auto var(--space-3)',
  zIndex: 4,
  width: 'calc(100% - 2 * var(--space-3))',
  margin: '0 auto var(--space-3)',
};
const WHOLE_ROW: CSSProperties = { gridColumn: '1 / -1' };
const CHOICES: CSSProperties = {
  ...WHOLE_ROW,
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 'var(--space-2)',
};
// The button's own place is beside the lines' title.
const CHOICE: CSSProperties = { gridArea: 'auto', justifyContent: 'center' };
const CHOSEN: CSSProperties = { ...CHOICE, borderColor: 'var(--accent-text)', color: 'var(--accent-text)' };
const SETTING: CSSProperties = { minHeight: 'var(--touch)', padding: 0, textDecoration: 'underline' };

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
    // Who asked to be asked again is taken there; everybody else is left where they are.
    if (choice !== 'unasked') bar.current?.focus();
    // Keeps what has the focus out from under the bar.
    document.documentElement.style.scrollPaddingBottom = `${bar.current?.offsetHeight ?? 0}px`;
  }, [choice]);

  return (
    <section className={hint.hint} style={BAR} aria-label={texts.consentTitle} tabIndex={-1} ref={bar}>
      <p style={WHOLE_ROW}>{texts.consentText}</p>
      <div style={CHOICES}>
        <button
          className={panel.retest}
          style={choice === 'refused' ? CHOSEN : CHOICE}
          type="button"
          aria-pressed={choice === 'refused'}
          data-silent="consent"
          onClick={() => consent.choose('refused')}
        >
          {texts.consentRefuse}
        </button>
        <button
          className={panel.retest}
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
