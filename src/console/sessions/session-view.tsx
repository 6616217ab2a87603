import type { ReactNode } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import { type Role, isRoleEnough } from '../../contract/roles.ts';
import type { SessionSummary, ViewSummary } from '../../contract/recordings.ts';
import { formatHost } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { EraseButton } from './erase-button.tsx';
import { type Happening, formatSpan, listHappenings, nameHappenings } from './happenings.ts';
import { ReplayPanel } from './replay-panel.tsx';
import { SessionBadges, SessionFacts, formatLineTime } from './session-row.tsx';
import styles from './sessions.module.css';
import { Mark } from './strip.tsx';
import { useSessionTexts } from './texts.ts';

export type SessionViewProps = {
  readonly id: string;
  readonly version: number;
  /** Of the person who looks. Undefined until it is loaded. */
  readonly role: Role | undefined;
};

/** What happened in a session, view by view. */
export function SessionView({ id, version, role }: SessionViewProps): ReactNode {
  const texts = useSessionTexts();
  const { data, hasFailed } = useView<SessionSummary>(
    `${RECORDING_PATHS.sessions}/${encodeURIComponent(id)}`,
    version,
  );
  return (
    <div className={kit.view}>
      <p>
        <a href={hrefOf({ view: 'sessions', part: '' })}>← {texts.back}</a>
      </p>
      {data === undefined ? (
        <Loading hasFailed={hasFailed} failed={texts.unknown} />
      ) : (
        <>
          <Panel title={texts.session} id="session">
            <div className={kit.stack}>
              <p>
                <Clock time={data.startedAt} now={Date.now()} /> · <SessionFacts session={data} /> ·{' '}
                {texts.lasted(formatSpan(data.lastedMs))}
              </p>
              <SessionBadges session={data} />
              <div className={buttons.row}>
                <CopyButton label={texts.copyLink} text={location.href} />
                {role !== undefined && isRoleEnough(role, 'editor') && <EraseButton session={id} />}
              </div>
            </div>
          </Panel>
          {data.views.map((view, index) => (
            <ViewPanel
              key={view.id}
              session={id}
              view={view}
              number={index + 1}
              lastedMs={findLasted(data, index)}
            />
          ))}
        </>
      )}
    </div>
  );
}

/** The last view ends with its session. The ends of the other views are not recorded. */
function findLasted({ views, lastedMs }: SessionSummary, index: number): number | undefined {
  const [first, view] = [views[0], views[index]];
  if (first === undefined || view === undefined || index < views.length - 1) return undefined;
  return first.openedAt + lastedMs - view.openedAt;
}

function ViewPanel({
  session,
  view,
  number,
  lastedMs,
}: {
  readonly session: string;
  readonly view: ViewSummary;
  readonly number: number;
  readonly lastedMs: number | undefined;
}): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const { reachedLines, failedLines, lcpMs, replay, segments } = view;
  return (
    <Panel title={texts.view(format.count(number))} id={`view-${number}`}>
      <div className={kit.stack}>
        <p className={kit.note}>
          {texts.reached(format.count(reachedLines), format.count(failedLines))}
          {lcpMs !== null && ` · ${texts.paint(format.ms(lcpMs))}`}
        </p>
        <ol className={styles.timeline}>
          {nameHappenings(listHappenings(view)).map(([name, happening]) => (
            <TimelineItem key={name} happening={happening} start={view.openedAt} />
          ))}
        </ol>
        {segments.kept === 0 ? (
          <p className={kit.note}>{texts.replayStates[replay]}</p>
        ) : (
          <ReplayPanel session={session} view={view} lastedMs={lastedMs} />
        )}
      </div>
    </Panel>
  );
}

function TimelineItem({
  happening,
  start,
}: {
  readonly happening: Happening;
  readonly start: number;
}): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const { kind, at, detail, stack, timeMs } = happening;
  const what =
    kind === 'entered' && detail !== undefined && timeMs !== undefined
      ? texts.enteredLine(formatHost(detail), formatLineTime(timeMs, format))
      : texts.happenings[kind];
  return (
    <li className={styles.happening}>
      <span className={styles.offset}>{formatSpan(at - start)}</span>
      <Mark kind={kind} />
      <div>
        <p>{kind === 'error' ? texts.errorWas(detail ?? '') : what}</p>
        {stack !== undefined && stack !== '' && (
          <details className={kit.details}>
            <summary>{texts.stack}</summary>
            <pre className={styles.code} tabIndex={0}>
              {stack}
            </pre>
          </details>
        )}
      </div>
    </li>
  );
}
