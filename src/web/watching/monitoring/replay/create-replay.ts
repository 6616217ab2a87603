import type { ReplayState, Segment } from '../../../../contract/intake-message.ts';
import type { Effects } from '../../../../engine/effects/effects.ts';
import { type Outgoing, type SendQueueSettings, createSendQueue } from '../create-send-queue.ts';
import type { SessionRecordBuilder } from '../create-session-record.ts';
import { type CompressorSettings, createCompressor } from './create-compressor.ts';
import { type EventRun, createSegmenter } from './create-segmenter.ts';

export type Recorder = {
  /** Records the page as it is now, all of it. */
  readonly takeSnapshot: () => void;
  readonly stop: () => void;
};

export type StartRecorder = (onEvent: (event: { readonly timestamp: number }) => void) => Recorder;

/** The replay of one view, from its first event to the intake. */
export type Replay = {
  /** Closes what is open, so that the record can count it, … */
  readonly close: () => void;
  /** … and sends all that there is, because the page may go away. */
  readonly flush: () => void;
  /** Stops recording; what was recorded is still sent. */
  readonly end: () => void;
  /** Stops recording, and sends nothing any more. */
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
    /** Without a worker there is no replay, in this view or another of the session. */
    readonly onNoWorker: (why: ReplayState) => void;
  };

/** About ten minutes, or one megabyte before it is compressed. */
const MAX_WAITING_SEGMENTS = 20;

/** Starts the replay of a view: the worker first, for without it the recorder need not be loaded. */
export function createReplay(settings: ReplaySettings): Replay {
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
      // Changes cannot be played over a gap: they need the whole page to start from again.
      if (hasGap) recorder?.takeSnapshot();
      hasGap = false;
    },
  });
  const segmenter = createSegmenter({ setTimer, onClose: enqueue });
  const compressor = createCompressor({
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
    const head = JSON.stringify({ kind: 'segment', session, view, number });
    const text = `${head.slice(0, -1)},"events":[${events.join(',')}]}`;
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
      end(); // The recorder's script is blocked or lost.
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
