import { type ReactNode, useState } from 'react';
import type { ConsoleLanguage } from '../../contract/console-language.ts';
import { describeDetail } from '../../contract/describe-detail.ts';
import { INCIDENT_TEXTS, nameIncident, namePlaces } from '../../contract/describe-incident.ts';
import {
  type ConsoleChannel,
  type ConsoleIncidents,
  type ConsoleIncident,
  type Incident,
  type IncidentDetail,
  type IncidentEvent,
  SEVERITIES,
  partsOf,
} from '../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import type { ConsoleAccount } from '../../contract/people.ts';
import { isRoleEnough } from '../../contract/roles.ts';
import { type Failure, sendChange } from '../live/call-server.ts';
import { useView } from '../live/use-view.ts';
import { describeRefusal } from '../live/describe-refusal.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import { SiteSetting } from '../parts/site-setting.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import styles from './incidents.module.css';
import { type IncidentViewTexts, useIncidentTexts } from './texts.ts';

/** One channel that is told of everything. */
const SETTING =
  '"alerts": { "channels": [{ "name": "pager", "kind": "webhook", "url": "https://hooks.example.com/waypost" }], "rules": [{ "to": ["pager"] }] }';

export type IncidentsViewProps = {
  readonly version: number;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
};

/** What is wrong, what was wrong, and who is told of it. */
export function IncidentsView({ version, account }: IncidentsViewProps): ReactNode {
  const texts = useIncidentTexts();
  const { data, hasFailed } = useView<ConsoleIncidents>(CONSOLE_PATHS.incidents, version);
  if (data === undefined) return <Loading hasFailed={hasFailed} />;
  const { incidents, channels, onCall, at } = data;
  const open = listOpen(incidents);
  const earlier = incidents.filter(({ endedAt }) => endedAt !== null);
  return (
    <div className={kit.narrow}>
      <Panel title={texts.open} note={texts.openNote} id="open">
        <IncidentList incidents={open} now={at} ifNone={texts.nothingOpen} />
      </Panel>
      <Panel title={texts.channels} note={texts.channelsNote} id="channels">
        {channels.length === 0 && (
          <Empty>
            {texts.noChannels} <SiteSetting setting={SETTING} place="json" account={account} />
          </Empty>
        )}
        {onCall.length > 0 && <p className={kit.note}>{texts.onCall(onCall.join(', '))}</p>}
        <ul>
          {channels.map((channel) => (
            <ChannelItem
              key={channel.name}
              channel={channel}
              now={at}
              mayTest={account !== undefined && isRoleEnough(account.role, 'editor')}
            />
          ))}
        </ul>
      </Panel>
      <Panel title={texts.earlier} note={texts.earlierNote} id="earlier">
        <IncidentList incidents={earlier} now={at} ifNone={texts.nothingEarlier} />
      </Panel>
    </div>
  );
}

/** Lists what is wrong now: the most severe first, and otherwise in the given order. */
export function listOpen<T extends Incident>(incidents: readonly T[]): readonly T[] {
  return incidents
    .filter(({ endedAt }) => endedAt === null)
    .toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity));
}

function IncidentList({
  incidents,
  now,
  ifNone,
}: {
  readonly incidents: readonly ConsoleIncident[];
  readonly now: number;
  readonly ifNone: string;
}): ReactNode {
  if (incidents.length === 0) return <Empty>{ifNone}</Empty>;
  return (
    <ul className={kit.stack}>
      {incidents.map((incident) => (
        <IncidentItem key={incident.id} incident={incident} now={now} />
      ))}
    </ul>
  );
}

function IncidentItem({
  incident,
  now,
}: {
  readonly incident: ConsoleIncident;
  readonly now: number;
}): ReactNode {
  const texts = useIncidentTexts();
  const { format, language, texts: consoleTexts } = useLocale();
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
    <li className={styles.incident} data-severity={severity} data-open={endedAt === null || undefined}>
      <div className={styles.head}>
        <h3 className={kit.name}>{nameNow(incident, texts, language)}</h3>
        <span className={`${kit.note} ${styles.severity}`}>{texts.severity(words.severities[severity])}</span>
      </div>
      {/* Of a line that is up again, nothing is seen any more. */}
      {seen !== '' && easedTo !== 'up' && <p>{seen}</p>}
      <IncidentLines incident={incident} />
      <ul className={`${kit.note} ${styles.facts}`}>
        <li>
          <Clock
            time={startedAt}
            now={now}
            write={(from) =>
              endedAt === null ? texts.since(from) : texts.fromTo(from, format.clock(endedAt, now))
            }
          />
        </li>
        {places.length > 0 && <li>{words.places(places.join(', '))}</li>}
        {visitors > 0 && <li>{words.visitors(visitors)}</li>}
        {takenBy !== null && <li>{texts.takenBy(consoleTexts.actor(takenBy))}</li>}
        {endedAt === null && isSilenced && <li>{texts.silenced}</li>}
      </ul>
      {endedAt === null && (
        <div className={buttons.row}>
          {takenBy === null && (
            <ActionButton text={texts.take} path={CONSOLE_PATHS.takeIncident} body={{ id }} />
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

/** Which lines an incident is about, what they have in common, and what to do. */
function IncidentLines({ incident }: { readonly incident: ConsoleIncident }): ReactNode {
  const texts = useIncidentTexts();
  const { language } = useLocale();
  const isOpen = incident.endedAt === null;
  const hosts = incident.parts === undefined ? [] : partsOf(incident).filter(({ subject }) => subject !== '');
  const wrong = hosts.filter(({ endedAt }) => !isOpen || endedAt === null);
  const well = hosts.filter((part) => !wrong.includes(part));
  const next = incident.words.next[language];
  return [
    wrong.length > 0 ? texts.lines(wrong.map(({ subject }) => subject).join(', ')) : '',
    well.length > 0 ? texts.wellAgain(well.map(({ subject }) => subject).join(', ')) : '',
    incident.words.shared[language],
    isOpen && incident.easedTo !== 'up' && next !== '' ? texts.next(next) : '',
  ]
    .filter((line) => line !== '')
    .map((line) => <p key={line}>{line}</p>);
}

/** Names an incident. An incident closes some time after its end, so the name says if its line is better already. */
export function nameNow(
  incident: Pick<ConsoleIncident, 'kind' | 'subject' | 'easedTo'>,
  texts: IncidentViewTexts,
  language: ConsoleLanguage,
): string {
  const { kind, subject, easedTo } = incident;
  const was = texts.was[kind];
  if (easedTo === null || was === undefined) return nameIncident(incident, language);
  return texts.eased(subject, { was, is: texts.is[easedTo] });
}

/** The way to the view that shows more of the cause, if there is one. */
function ViewLink({ cause }: Pick<Incident, 'cause'>): ReactNode {
  const { texts } = useLocale();
  const [, line] = /^(?:line|certificate)\/(.+)/.exec(cause) ?? [];
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

function ChannelItem({
  channel,
  now,
  mayTest,
}: {
  readonly channel: ConsoleChannel;
  readonly now: number;
  readonly mayTest: boolean;
}): ReactNode {
  const texts = useIncidentTexts();
  const { format, language } = useLocale();
  const { name, kind, waiting, sentAt, fault } = channel;
  return (
    <li className={kit.item}>
      <div>
        <p>
          <span className={kit.name}>{name}</span> {texts.kinds[kind]}
        </p>
        <p className={fault === null ? kit.note : kit.problem}>
          {fault === null
            ? sentAt === null
              ? texts.neverSent
              : texts.sent(format.clock(sentAt, now))
            : texts.failing(describeDetail(fault, language))}
          {waiting > 0 && ` · ${texts.waiting(format.count(waiting))}`}
        </p>
      </div>
      {mayTest && (
        <ActionButton
          text={texts.test}
          path={CONSOLE_PATHS.testChannel}
          body={{ channel: name }}
          done={texts.testSent}
        />
      )}
    </li>
  );
}

type Outcome = { readonly isGood: boolean; readonly text: string };

/** Sends a change. The next version of the overview brings what it has changed. */
function ActionButton({
  text,
  path,
  body,
  done = '',
}: {
  readonly text: string;
  readonly path: string;
  readonly body: object;
  readonly done?: string;
}): ReactNode {
  const texts = useIncidentTexts();
  const { language } = useLocale();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (): Promise<void> => {
    setIsBusy(true);
    const answer = await sendChange(path, body);
    setIsBusy(false);
    const isGood = answer.kind === 'done';
    setOutcome({ isGood, text: isGood ? done : describeProblem(answer, texts, language) });
  };
  return (
    <div className={buttons.row}>
      <button className={buttons.button} type="button" disabled={isBusy} onClick={() => void send()}>
        {text}
      </button>
      <p className={outcome?.isGood === false ? kit.problem : kit.note} role="status">
        {outcome?.text}
      </p>
    </div>
  );
}

/** Says why the server did not do what it was asked. */
export function describeProblem(
  failure: Failure,
  texts: IncidentViewTexts,
  language: ConsoleLanguage,
): string {
  // Why a channel did not take its test. The server uses the same type.
  const { fault } = (failure.kind === 'refused' ? failure.details : {}) as {
    readonly fault?: IncidentDetail;
  };
  if (fault !== undefined) return texts.testFailed(describeDetail(fault, language));
  return describeRefusal(failure, language, texts.problems);
}
