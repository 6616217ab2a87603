import type { ReplayState, Segment } from '../../../../contract/intake-message.ts';
import type { Effects } from '../../../../engine/effects/effects.ts';
import { type Outgoing, type SendQueueSettings, createSendQueue } from '../create-send-queue.ts';
import type { SessionRecordBuilder } from '../create-session-record.ts';
import { type CompressorSettings, openCompressor } from './open-compressor.ts';
import { type EventRun, createSegmenter } from './create-segmenter.ts';

export type Recorder = {
  /** Records the whole page as it is now. */
  readonly takeSnapshot: () => void;
  readonly stop: () => void;
};

/** An event of rrweb, as far as we look into it. */
export type RecordedEvent = { readonly timestamp: number };

export type StartRecorder = (onEvent: (event: RecordedEvent) => void) => Recorder;

/** The replay of one view, from its first event to the intake. */
export type Replay = {
  /** Closes the open segment, so that the record can count it. */
  readonly close: () => void;
  /** Sends all segments, because the page may close. */
  readonly flush: () => void;
  /** Stops recording. What was recorded is still sent. */
  readonly end: () => void;
  /** Stops recording, and drops what was not sent. */
  readonly discard: () => void;
};

export type ReplaySettings = Pick<Effects, 'setTimer' | 'random'> &
  Pick<SendQueueSettings, 'post' | 'beacon'> &
  Pick<CompressorSettings, 'openWorker'> &
  Pick<Segment, 'session' | 'view'> & {
    readonly record: Pick<
      SessionRecordBuilder,
      'setReplay' | 'setSegments' | 'countDroppedSegment' | 'countOversizedEvent'
    >;
    readonly loadRecorder: () => Promise<StartRecorder>;
    /** Without a worker there is no replay for the rest of the session. */
    readonly onNoWorker: (why: ReplayState) => void;
  };

/** About ten minutes, or one megabyte before compression. */
const MAX_WAITING_SEGMENTS = 20;

/** Starts the replay of a view. The worker starts first, because the recorder is useless without it. */
export function startReplay(settings: ReplaySettings): Replay {
  const { record, openWorker, loadRecorder, onNoWorker, setTimer, session, view } = settings;
  let recorder: Recorder | undefined;
  let isOver = false;
  let hasGap = false;

  const queue = createSendQueue({
    ...settings,
    maxWaiting: MAX_WAITING_SEGMENTS,
    onDrop() {
      hasGap = true;
      record.countDroppedSegment();
    },
    onSent() {
      // After a gap, changes cannot be replayed. They need a new snapshot of the whole page.
      if (hasGap) recorder?.takeSnapshot();
      hasGap = false;
    },
  });
  const segmenter = createSegmenter({ setTimer, onClose: enqueue });
  const compressor = openCompressor({
    openWorker,
    setTimer,
    onFailed() {
      record.setReplay('failed');
      end();
    },
  });

  function enqueue({ number, events, isOversized }: EventRun): void {
    record.setSegments(number);
    if (isOversized) record.countOversizedEvent();
    const text = writeSegment({ session, view, number }, events);
    const message: Outgoing = { body: text, isReady: false };
    queue.add(message);
    compressor.compress(text, (bytes) => {
      message.body = bytes ?? text;
      message.isReady = true;
      queue.advance();
    });
  }

  async function start(): Promise<void> {
    const outcome = await compressor.started;
    if (isOver) return;
    if (outcome !== 'ready') {
      record.setReplay(outcome);
      return onNoWorker(outcome);
    }
    try {
      const startRecorder = await loadRecorder();
      if (isOver) return;
      recorder = startRecorder(segmenter.add);
      record.setReplay('recording');
    } catch {
      end(); // The recorder's script did not load.
      record.setReplay('failed');
    }
  }

  function end(): void {
    isOver = true;
    recorder?.stop();
    recorder = undefined;
    segmenter.close();
    compressor.stop();
  }

  void start();

  return {
    close: segmenter.closeInPieces,
    flush: queue.flush,
    end,
    discard() {
      queue.stop();
      end();
    },
  };
}

/** Writes a segment as JSON, out of events that are JSON already. */
function writeSegment(
  names: Pick<Segment, 'session' | 'view' | 'number'>,
  events: readonly string[],
): string {
  const head = JSON.stringify({ kind: 'segment', ...names });
  return `${head.slice(0, -1)},"events":[${events.join(',')}]}`;
}
