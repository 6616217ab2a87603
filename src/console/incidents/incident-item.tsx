import type { ReactNode } from 'react';
import type { ConsoleLanguage } from '../../contract/console-language.ts';
import { describeDetail } from '../../contract/describe-detail.ts';
import {
  INCIDENT_TEXTS,
  listSaid,
  nameEnd,
  nameIncident,
  namePlaces,
} from '../../contract/describe-incident.ts';
import {
  type ConsoleIncident,
  type Incident,
  type IncidentEvent,
  type IncidentPart,
  findLineId,
} from '../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { type Locale, useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { ActionButton } from './action-button.tsx';
import styles from './incidents.module.css';
import { type IncidentViewTexts, useIncidentTexts } from './texts.ts';

/** An incident, with what is known of it, and what can be done. */
export function IncidentItem({
  incident,
  now,
}: {
  readonly incident: ConsoleIncident;
  readonly now: number;
}): ReactNode {
  const texts = useIncidentTexts();
  const locale = useLocale();
  const { language, texts: consoleTexts } = locale;
  const words = INCIDENT_TEXTS[language];
  const {
    cause,
    severity,
    subject,
    detail,
    visitors,
    startedAt,
    endedAt,
    takenBy,
    isSilenced,
    easedTo,
    timeline,
    id,
  } = incident;
  const places = namePlaces(incident);
  const seen = describeDetail(detail, language);
  return (
    <li
      className={styles.incident}
      id={elementIdOf(id)}
      data-severity={severity}
      data-open={endedAt === null || undefined}
    >
      <div className={styles.head}>
        <h3 className={kit.name}>{nameNow(incident, texts, language)}</h3>
        <span className={`${kit.note} ${styles.severity}`}>{texts.severity(words.severities[severity])}</span>
      </div>
      <ul className={`${kit.note} ${styles.facts}`}>
        <li>
          <Clock time={startedAt} now={now} write={(began) => writePeriod(began, { endedAt, now, locale })} />
        </li>
        {places.length > 0 && <li>{words.places(places.join(', '))}</li>}
        {visitors > 0 && <li>{words.visitors(visitors)}</li>}
        {takenBy !== null && <li>{texts.takenBy(consoleTexts.actor(takenBy))}</li>}
        {endedAt === null && isSilenced && <li>{texts.silenced}</li>}
      </ul>
      {/* Of a line that is up again, nothing is seen any more. */}
      {seen !== '' && easedTo !== 'up' && <p className={styles.seen}>{seen}</p>}
      <IncidentLines incident={incident} />
      {endedAt === null && (
        <div className={`${buttons.row} ${styles.actions}`}>
          {takenBy === null && (
            <ActionButton isMain text={texts.take} path={CONSOLE_PATHS.takeIncident} body={{ id }} />
          )}
          <ViewLink cause={cause} />
        </div>
      )}
      <details className={`${kit.details} ${styles.timeline}`}>
        <summary>{texts.timeline}</summary>
        <ol>
          {timeline.map((event, index) => (
            // Events are only ever added at the end.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Clock time={event.at} now={now} />{' '}
              {describeEvent(event, { subject, language, texts, actor: consoleTexts.actor })}
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

/** Goes to an incident of the list, and opens its timeline. */
export function showIncident(id: string): void {
  const details = document.getElementById(elementIdOf(id))?.querySelector('details');
  if (!details) return;
  details.open = true;
  details.querySelector('summary')?.focus({ preventScroll: true });
  details.parentElement?.scrollIntoView({ block: 'center' });
}

function elementIdOf(id: string): string {
  return `incident-${id}`;
}

/** Writes since when an incident lasts, or from when until when it did. `began` is written already. */
export function writePeriod(
  began: string,
  { endedAt, now, locale }: Pick<Incident, 'endedAt'> & { readonly now: number; readonly locale: Locale },
): string {
  const { format, texts } = locale;
  return endedAt === null ? texts.sinceClock(began) : `${began} – ${format.clock(endedAt, now)}`;
}

/** What to do about an incident, which lines it is about, and what they have in common. */
function IncidentLines({ incident }: { readonly incident: ConsoleIncident }): ReactNode {
  const texts = useIncidentTexts();
  const { language } = useLocale();
  const isOpen = incident.endedAt === null;
  const hosts = (incident.parts ?? []).filter(({ subject }) => subject !== '');
  const wrong = hosts.filter(({ endedAt }) => !isOpen || endedAt === null);
  const well = hosts.filter((part) => !wrong.includes(part));
  const next = incident.words.next[language];
  const said = listSaid(incident);
  const worst = wrong.filter((part) => said.includes(part));
  const better = wrong.filter((part) => worst.length > 0 && !worst.includes(part));
  const facts = [
    listHosts(texts.lines, worst.length > 0 ? worst : wrong),
    listHosts(texts.otherLines, better),
    listHosts(texts.wellAgain, well),
    incident.words.shared[language],
  ].filter((line) => line !== '');
  return (
    <>
      {isOpen && incident.easedTo !== 'up' && next !== '' && (
        <p className={styles.next}>{texts.next(next)}</p>
      )}
      {facts.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
}

function listHosts(write: (hosts: string) => string, parts: readonly IncidentPart[]): string {
  return parts.length > 0 ? write(parts.map(({ subject }) => subject).join(', ')) : '';
}

/** Names an incident. An incident closes some time after its end, so the name says if its line is better already. */
export function nameNow(
  incident: Pick<ConsoleIncident, 'kind' | 'subject' | 'easedTo' | 'parts'>,
  texts: IncidentViewTexts,
  language: ConsoleLanguage,
): string {
  const { kind, subject, easedTo, parts } = incident;
  if (easedTo === 'up' && parts !== undefined) return nameEnd(incident, language);
  const was = texts.was[kind];
  if (easedTo === null || was === undefined) return nameIncident(incident, language);
  return texts.eased(subject, { was, is: texts.is[easedTo] });
}

/** The way to the view that shows more of the cause, if there is one. */
function ViewLink({ cause }: Pick<Incident, 'cause'>): ReactNode {
  const { texts } = useLocale();
  const line = findLineId(cause);
  if (line !== undefined)
    return (
      <a className={buttons.link} href={hrefOf({ view: 'line', id: line })}>
        {texts.openLine}
      </a>
    );
  if (cause !== 'visitors') return null;
  return (
    <a className={buttons.link} href={hrefOf({ view: 'where' })}>
      {texts.where}
    </a>
  );
}

type EventWords = {
  readonly subject: string;
  readonly language: ConsoleLanguage;
  readonly texts: IncidentViewTexts;
  readonly actor: (name: string) => string;
};

function describeEvent(
  { kind, by, condition }: IncidentEvent,
  { subject, language, texts, actor }: EventWords,
): string {
  const what = [INCIDENT_TEXTS[language].events[kind], by && actor(by)]
    .filter((part) => part !== undefined)
    .join(' ');
  if (condition === undefined) return what;
  return texts.becoming(what, nameIncident({ ...condition, subject }, language));
}
