import type { ReactNode } from 'react';
import type { SessionSummary } from '../../contract/recordings.ts';
import { type Happening, type HappeningKind, formatSpan, listHappenings } from './happenings.ts';
import kit from '../parts/view.module.css';
import styles from './strip.module.css';
import { type SessionTexts, useSessionTexts } from './texts.ts';

/** Each has a shape of its own, because colours alone are not seen by everybody. */
const SHAPES: Readonly<Record<HappeningKind, ReactNode>> = {
  opened: <path d="M5 0v12" />,
  'first-row': <circle cx="5" cy="6" r="3.5" />,
  entered: <path d="M1.5 1.5 9 6l-7.5 4.5z" fill="currentColor" />,
  error: <path d="m1.5 2.5 7 7m0-7-7 7" />,
  click: <circle cx="5" cy="6" r="2.5" fill="currentColor" />,
};
const LEGEND = ['opened', 'first-row', 'entered', 'error'] as const;
/** A strip is never shorter. */
const SHORTEST_MS = 1_000;

/** What happened in a session, on a line that is as long as the session. */
export function Strip({ session }: { readonly session: SessionSummary }): ReactNode {
  const texts = useSessionTexts();
  const happenings = session.views.flatMap(listHappenings);
  const start = Math.min(...happenings.map(({ at }) => at));
  const spanMs = Math.max(SHORTEST_MS, session.lastedMs);
  if (happenings.length === 0) return null;
  const names = happenings.map((happening) => nameHappening(happening, start, texts));
  return (
    <div className={styles.strip} role="img" aria-label={names.join(', ')}>
      <div className={styles.axis}>
        {happenings.map((happening, index) => (
          // They are in order, and have no state that could move to another one.
          // oxlint-disable-next-line react/no-array-index-key
          <span
            key={index}
            className={styles.place}
            style={{ left: `${Math.min(1, (happening.at - start) / spanMs) * 100}%` }}
          >
            <Mark kind={happening.kind} />
          </span>
        ))}
      </div>
      <span className={styles.end}>{formatSpan(session.lastedMs)}</span>
    </div>
  );
}

function nameHappening({ kind, at }: Happening, start: number, texts: SessionTexts): string {
  const what = texts.happenings[kind];
  return at === start ? what : texts.after(what, formatSpan(at - start));
}

/** The shape that stands for something that happened. */
export function Mark({ kind }: { readonly kind: HappeningKind }): ReactNode {
  return (
    <svg className={styles.mark} data-kind={kind} viewBox="0 0 10 12" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  );
}

/** What the shapes of the strips mean. */
export function Legend(): ReactNode {
  const texts = useSessionTexts();
  return (
    <ul className={kit.legend} aria-label={texts.legend}>
      {LEGEND.map((kind) => (
        <li key={kind}>
          <Mark kind={kind} /> {texts.happenings[kind]}
        </li>
      ))}
      <li>{texts.ownScale}</li>
    </ul>
  );
}
