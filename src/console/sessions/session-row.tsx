import type { ReactNode } from 'react';
import { FAILED_TIME_MS, UNMEASURED_TIME_MS } from '../../contract/limits.ts';
import { type SessionSummary, markSession } from '../../contract/recordings.ts';
import { formatHost, formatNetwork } from '../format/format-names.ts';
import { NO_DATA } from '../locale/create-format.ts';
import { type Locale, useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import badge from '../parts/badge.module.css';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { SWITCHES } from './filter-query.ts';
import styles from './sessions.module.css';
import { Strip } from './strip.tsx';
import { useSessionTexts } from './texts.ts';

/** A session in the table. */
export function SessionRow({ session }: { readonly session: SessionSummary }): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const entered = session.views.flatMap((view) => view.entered).at(-1);
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ view: 'sessions', part: session.id })}>
          <Clock time={session.startedAt} now={Date.now()} />
        </a>
      </th>
      <td className={kit.note}>
        <SessionFacts session={session} />
      </td>
      <td className={styles.strip}>
        <Strip session={session} />
      </td>
      <td>
        {entered === undefined
          ? texts.notEntered
          : texts.enteredLine(formatHost(entered.host), formatLineTime(entered.time, format))}
      </td>
      <td className={styles.marks}>
        <SessionBadges session={session} />
      </td>
    </tr>
  );
}

/** Device, language and network. */
export function SessionFacts({ session }: { readonly session: SessionSummary }): ReactNode {
  const texts = useSessionTexts();
  const { texts: consoleTexts } = useLocale();
  const { device, language, country, network } = session;
  const place = network === '' ? country || NO_DATA : formatNetwork(network, consoleTexts);
  return [texts.devices[device], language, place].join(' · ');
}

/** What is special about a session, in words. */
export function SessionBadges({ session }: { readonly session: SessionSummary }): ReactNode {
  const texts = useSessionTexts();
  const marks = markSession(session);
  const hasReplay = session.views.some(({ segments }) => segments.kept > 0);
  return (
    <ul className={styles.badges}>
      {SWITCHES.filter((name) => marks[name]).map((name) => (
        <li key={name} className={`${badge.badge} ${styles.badge}`} data-mark={name}>
          {texts.marks[name]}
        </li>
      ))}
      {hasReplay && <li className={`${badge.badge} ${styles.badge}`}>{texts.replay}</li>}
    </ul>
  );
}

/** Writes what the page had measured of a line. */
export function formatLineTime(timeMs: number, format: Locale['format']): string {
  if (timeMs === UNMEASURED_TIME_MS) return NO_DATA;
  return timeMs === FAILED_TIME_MS ? '> 5 s' : format.ms(timeMs);
}
