import type { EnteredLine, ErrorReport, SeenLines, SessionRecord } from '../../../contract/intake-message.ts';
import type { Store } from '../../../contract/create-store.ts';
import type { Effects } from '../../../engine/effects/effects.ts';
import type { EventLog } from '../create-event-log.ts';
import type { Session } from './create-session-keeper.ts';
import { type SendQueueSettings, createSendQueue } from './create-send-queue.ts';
import { createSessionRecord } from './create-session-record.ts';
import { type Replay, type ReplaySettings, startReplay } from './replay/start-replay.ts';

/** The monitoring of one view of a sampled session. */
export type SessionMonitor = Omit<Replay, 'close'> & {
  /** Call it when the page is visible again: the last record is no longer complete. */
  readonly resume: () => void;
};

export type MonitorSettings = Pick<Effects, 'now' | 'setTimer' | 'random'> &
  Pick<SendQueueSettings, 'post' | 'beacon'> &
  Pick<SessionRecord, 'page' | 'device' | 'language' | 'openedAt' | 'vitals'> &
  Pick<ReplaySettings, 'openWorker' | 'loadRecorder' | 'onNoWorker'> & {
    readonly createId: () => string;
    readonly errors: Pick<EventLog<ErrorReport>, 'subscribe'>;
    readonly enteredLines: Pick<EventLog<EnteredLine>, 'subscribe'>;
    readonly seenLines: Store<SeenLines>;
  };

/** A change of the record waits this long for others, to be sent with them. */
const RECORD_DELAY_MS = 5_000;
/** A newer record replaces the one before it. */
const MAX_WAITING_RECORDS = 1;

/** Monitors one view of a sampled session: its record, and its replay if one was drawn. */
export function monitorSession(session: Session, settings: MonitorSettings): SessionMonitor {
  const { now, setTimer, createId, errors, enteredLines, seenLines } = settings;
  const { page, device, language, openedAt, vitals } = settings;
  const view = createId();
  const queue = createSendQueue({ ...settings, maxWaiting: MAX_WAITING_RECORDS });
  let cancelSending: (() => void) | undefined;

  const record = createSessionRecord(
    {
      session: session.id,
      view,
      sessionStartedAt: session.startedAt,
      openedAt,
      startedAt: now(),
      pageViews: session.pageViews,
      page,
      device,
      language,
      replay: session.replay,
      vitals,
    },
    sendSoon,
  );

  function sendSoon(): void {
    cancelSending ??= setTimer(send, RECORD_DELAY_MS);
  }

  function addRevision(isWhole: boolean): void {
    cancelSending?.();
    cancelSending = undefined;
    record.takeRevision(isWhole, (body) => queue.add({ body, isReady: true }));
  }

  function send(): void {
    addRevision(false);
    queue.advance();
  }

  const unsubscribers = [
    errors.subscribe(record.addError),
    enteredLines.subscribe(record.addEnteredLine),
    seenLines.subscribe(() => record.setSeenLines(seenLines.getSnapshot())),
  ];
  record.setSeenLines(seenLines.getSnapshot());
  const replay =
    session.replay === 'starting'
      ? startReplay({ ...settings, session: session.id, view, record })
      : undefined;
  send();

  function unsubscribe(): void {
    for (const end of unsubscribers) end();
  }

  return {
    flush() {
      // The record first: it is small, and says how many segments there are, even if those are lost.
      replay?.close();
      addRevision(true);
      queue.flush();
      replay?.flush();
    },
    end() {
      unsubscribe();
      replay?.end();
      addRevision(true);
      queue.advance();
    },
    resume: sendSoon,
    discard() {
      unsubscribe();
      replay?.discard();
      cancelSending?.();
      queue.stop();
    },
  };
}
