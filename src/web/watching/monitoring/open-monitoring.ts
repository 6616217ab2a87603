import type { EnteredLine, SeenLines } from '../../../contract/intake-message.ts';
import type { PageSite } from '../../../contract/page/page-data.ts';
import { createBrowserStore, createSetTimer } from '../../../engine/effects/browser-effects.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import type { Effects } from '../../../engine/effects/effects.ts';
import type { TrackedEvent } from '../analytics/create-analytics.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';
import { type Store, createStore } from '../../../contract/create-store.ts';
import type { ReadDevice } from '../create-read-device.ts';
import { watchVitals } from '../watch-vitals.ts';
import type { UncaughtError } from './collect-errors.ts';
import { createSessionKeeper } from './create-session-keeper.ts';
import { describeError } from './describe-error.ts';
import { type ProbeTiming, describeEnteredLine, describeSeenLines } from './describe-lines.ts';
import { type SessionFollower, followSessions } from './follow-sessions.ts';
import { monitorSession } from './monitor-session.ts';
import { postToIntake } from './post-to-intake.ts';
import type { CompressorAnswer, CompressorSettings } from './replay/open-compressor.ts';
import type { StartRecorder } from './replay/start-replay.ts';

export type MonitoringSettings = PageSite['monitoring'] & {
  readonly board: Store<BoardSnapshot>;
  readonly readDevice: ReadDevice;
  readonly errors: Pick<EventLog<UncaughtError>, 'subscribe'>;
  readonly events: Pick<EventLog<TrackedEvent>, 'subscribe'>;
};

const ACTIVITIES = ['pointerdown', 'keydown', 'scroll'];
const ID_BYTES = 16;

/** Opens the worker that compresses. It is a script of our own origin. */
const openCompressorWorker: CompressorSettings['openWorker'] = ({ onAnswer, onError }) => {
  const worker = new Worker(new URL('./replay/compressor.worker.ts', import.meta.url));
  worker.addEventListener('message', ({ data }: MessageEvent<CompressorAnswer>) => onAnswer(data));
  worker.addEventListener('error', onError);
  return {
    // The rule is about windows. A worker's postMessage takes no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (task) => worker.postMessage(task),
    terminate: () => worker.terminate(),
  };
};

/** Starts the monitoring of this page. The signal aborts when the visitor takes the consent back. */
export function openMonitoring(
  page: Window & typeof globalThis,
  settings: MonitoringSettings,
  signal: AbortSignal,
): void {
  const { intakeUrl, readDevice, errors } = settings;
  const effects = createEffects(page);
  // Safari 14 has no `timeOrigin`.
  const openedAt = Math.round(effects.now() - page.performance.now());
  const enteredLines = collectEnteredLines(settings, signal);
  const timing: ProbeTiming = {
    timeOrigin: openedAt,
    getEntriesByType: (type) => page.performance.getEntriesByType(type),
  };
  const seenLines = collectSeenLines(settings.board, timing, signal);
  const vitals = watchVitals(page) ?? {};
  const store = createBrowserStore(() => page.localStorage);
  const keeper = createSessionKeeper({ ...effects, ...settings, store });
  const follower = followSessions({
    ...effects,
    keeper,
    monitor: (session) =>
      monitorSession(session, {
        ...effects,
        page: page.location.pathname,
        device: readDevice(),
        language: page.document.documentElement.lang,
        openedAt,
        errors: { subscribe: (onError) => errors.subscribe((error) => onError(describeError(error))) },
        enteredLines,
        seenLines,
        vitals,
        post: (body, ending) => postToIntake(intakeUrl, body, { ...effects, signal: ending }),
        beacon: (body) => page.navigator.sendBeacon?.(intakeUrl, body) ?? false,
        openWorker: openCompressorWorker,
        onNoWorker: (why) => keeper.endReplay(session.id, why),
        loadRecorder: () => loadRecorder(settings.maskText),
      }),
  });
  listen(page.document, follower);
  signal.addEventListener('abort', follower.discard);
}

async function loadRecorder(maskText: boolean): Promise<StartRecorder> {
  if (maskText) return (await import('./replay/start-masked-recorder.ts')).startMaskedRecorder;
  return (await import('./replay/start-recorder.ts')).startRecorder;
}

/** Not the engine's effects: sessions end by the system clock, and the engine's clock ignores its changes. */
function createEffects(page: Window): Effects & { readonly createId: () => string } {
  return {
    fetch: (url, init) => page.fetch(url, init),
    now: () => Date.now(),
    random: Math.random,
    setTimer: createSetTimer(page),
    createId: () => createId(page.crypto),
  };
}

function listen(document: Document, { noteActivity, flush, resume }: SessionFollower): void {
  for (const activity of ACTIVITIES) {
    document.addEventListener(activity, noteActivity, { capture: true, passive: true });
  }
  // `watchVitals` listens to the same event before us, so the flush includes the last values.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return flush();
    noteActivity();
    resume();
  });
  // Some browsers leave a page without hiding it first.
  document.defaultView?.addEventListener('pagehide', flush);
}

function collectEnteredLines({ events }: MonitoringSettings, signal: AbortSignal): EventLog<EnteredLine> {
  const log = createEventLog<EnteredLine>();
  const end = events.subscribe(({ entered }) => {
    if (entered) log.add(describeEnteredLine(entered.row, entered.clickedAt));
  });
  signal.addEventListener('abort', end);
  return log;
}

function collectSeenLines(
  board: Store<BoardSnapshot>,
  timing: ProbeTiming,
  signal: AbortSignal,
): Store<SeenLines> {
  const describe = (): SeenLines => describeSeenLines(board.getSnapshot().rows, timing);
  const seenLines = createStore(describe());
  const end = board.subscribe(() => {
    const seen = describe();
    // The board changes with every tick of an estimate.
    if (JSON.stringify(seen) !== JSON.stringify(seenLines.getSnapshot())) seenLines.set(seen);
  });
  signal.addEventListener('abort', end);
  return seenLines;
}

function createId(crypto: Crypto): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
