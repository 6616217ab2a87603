import type { ReactNode } from 'react';
import type { ConsoleChange } from '../../contract/moments.ts';
import { formatHost } from '../format/format-names.ts';
import { type Locale, useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import kit from '../parts/view.module.css';
import { findKind, findStep, listRecent } from './lay-out-bar.ts';
import { type PastTexts, usePastTexts } from './texts.ts';
import styles from './time-bar.module.css';

type RecentChangesProps = {
  readonly changes: readonly ConsoleChange[];
  readonly at: number;
  readonly onMove: (to: number) => void;
};

const MAX_LISTED = 3;

/** What changed shortly before the time that is shown, each with the way to its moment. */
export function RecentChanges({ changes, at, onMove }: RecentChangesProps): ReactNode {
  const texts = usePastTexts();
  const locale = useLocale();
  const recent = listRecent(changes, at);
  if (recent.length === 0) return <p className={kit.note}>{texts.noChanges}</p>;
  return (
    <ul className={styles.changes} aria-label={texts.changes}>
      {recent.slice(0, MAX_LISTED).map((change) => {
        const text = describeChange(change, texts, locale);
        return (
          <li key={`${change.at} ${text}`}>
            <button className={styles.change} type="button" onClick={() => onMove(findStep(change))}>
              <span className={styles.sign} data-kind={findKind(change)} aria-hidden="true" />
              <Clock time={change.at} now={at} /> {text}
            </button>
          </li>
        );
      })}
      {recent.length > MAX_LISTED && (
        <li className={kit.note}>{texts.more(locale.format.count(recent.length - MAX_LISTED))}</li>
      )}
    </ul>
  );
}

export function describeChange(
  change: ConsoleChange,
  texts: PastTexts,
  { texts: consoleTexts, language }: Pick<Locale, 'texts' | 'language'>,
): string {
  switch (change.kind) {
    case 'published':
      return texts.published;
    case 'line':
      return texts.line(formatHost(change.host), consoleTexts.status[change.status]);
    case 'opened':
    case 'closed':
      return texts[change.kind](change.names[language]);
    case 'told':
    case 'not-told':
      return texts[change.kind](change.channel ?? '', change.names[language]);
  }
}
