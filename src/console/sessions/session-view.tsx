import { type ReactNode, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import { type Role, isRoleEnough } from '../../contract/roles.ts';
import type { SessionSummary, ViewSummary } from '../../contract/recordings.ts';
import { formatHost } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Clock } from '../parts/clock.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { hrefOf } from '../route.ts';
import { EraseButton } from './erase-button.tsx';
import { type Happening, formatSpan, listHappenings } from './happenings.ts';
import { ReplayPanel } from './replay-panel.tsx';
import { SessionBadges, SessionFacts, formatLineTime } from './session-item.tsx';
import styles from './sessions.module.css';
import { Mark } from './strip.tsx';
import { useSessionTexts } from './texts.ts';

export type SessionViewProps = {
  readonly id: string;
  readonly version: number;
  /** Of whoever looks. Undefined until it is loaded. */
  readonly role: Role | undefined;
};

/** What happened in a session, view by view. */
export function SessionView({ id, version, role }: SessionViewProps): ReactNode {
  const texts = useSessionTexts();
  const { texts: consoleTexts } = useLocale();
  const { data, hasFailed } = useView<SessionSummary>(
    `${RECORDING_PATHS.sessions}/${encodeURIComponent(id)}`,
    version,
  );
  return (
    <div className={styles.view}>
      <nav className={styles.parts} aria-label={texts.parts}>
        <a href={hrefOf({ view: 'sessions', part: '' })}>{texts.back}</a>
      </nav>
      {data === undefined ? (
        <Empty>{hasFailed ? texts.unknown : consoleTexts.loading}</Empty>
      ) : (
        <>
          <Panel title={texts.session} id="session">
            <p>
              <Clock time={data.startedAt} now={Date.now()} /> · <SessionFacts session={data} />
            </p>
            <SessionBadges session={data} />
            <div className={styles.actions}>
              <CopyLink />
              {role !== undefined && isRoleEnough(role, 'editor') && <EraseButton session={id} />}
            </div>
          </Panel>
          {data.views.map((view, index) => (
            <ViewPanel key={view.id} session={id} view={view} number={index + 1} />
          ))}
        </>
      )}
    </div>
  );
}

function CopyLink(): ReactNode {
  const texts = useSessionTexts();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    setIsCopied(true);
  };
  // Browsers have no clipboard on plain http, except on loopback.
  if (!window.isSecureContext) return null;
  return (
    <>
      <button className={styles.button} type="button" onClick={() => void copy()}>
        {texts.copyLink}
      </button>
      <span className={styles.note} role="status">
        {isCopied && texts.copied}
      </span>
    </>
  );
}

function ViewPanel({
  session,
  view,
  number,
}: {
  readonly session: string;
  readonly view: ViewSummary;
  readonly number: number;
}): ReactNode {
  const texts = useSessionTexts();
  const { format } = useLocale();
  const { reachedLines, failedLines, lcpMs, replay, segments } = view;
  return (
    <Panel title={texts.view(format.count(number))} id={`view-${number}`}>
      <p className={styles.note}>
        {texts.reached(format.count(reachedLines), format.count(failedLines))}
        {lcpMs !== null && ` · ${texts.paint(format.ms(lcpMs))}`}
      </p>
      <ol className={styles.timeline}>
        {listHappenings(view).map((happening, index) => (
          // They are in order, and none is ever removed.
          // oxlint-disable-next-line react/no-array-index-key
          <TimelineItem key={index} happening={happening} start={view.openedAt} />
        ))}
      </ol>
      {segments.kept === 0 ? (
        <p className={styles.note}>{texts.replayStates[replay]}</p>
      ) : (
        <ReplayPanel session={session} view={view} />
      )}
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
        <p>
          {what}
          {kind === 'error' && `: ${detail}`}
        </p>
        {stack !== undefined && stack !== '' && (
          <details>
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
