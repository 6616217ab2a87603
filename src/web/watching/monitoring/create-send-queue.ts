import type { Effects } from '../../../engine/effects/effects.ts';

/** What became of a message: it arrived, the intake does not want it, or it may be worth another try. */
export type PostOutcome = 'sent' | 'refused' | 'failed';

export type MessageBody = string | Uint8Array<ArrayBuffer>;

/** A message in the queue. Its body may change until it has left. */
export type Outgoing = {
  body: MessageBody;
  /** False while the body is still being compressed. */
  isReady: boolean;
};

export type SendQueue = {
  readonly add: (message: Outgoing) => void;
  /** Posts what is at the head, if it is ready and nothing else is under way. */
  readonly advance: () => void;
  /** Hands everything that has not left yet to the browser, which sends it even if the page goes away. */
  readonly flush: () => void;
  /** Forgets everything. */
  readonly stop: () => void;
};

export type SendQueueSettings = Pick<Effects, 'setTimer' | 'random'> & {
  readonly post: (body: MessageBody, signal: AbortSignal) => Promise<PostOutcome>;
  /** False where the browser does not take it. */
  readonly beacon: (body: MessageBody) => boolean;
  /** Beyond these the oldest that has not left is dropped. */
  readonly maxWaiting: number;
  readonly onDrop?: () => void;
  readonly onSent?: () => void;
};

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Posts messages one at a time and in order, however slow, broken or hostile the other side is. */
export function createSendQueue(settings: SendQueueSettings): SendQueue {
  const { post, beacon, maxWaiting, onDrop, onSent, setTimer, random } = settings;
  const waiting: Outgoing[] = [];
  const ending = new AbortController();
  let isPosting = false;
  let failures = 0;
  let cancelPause: (() => void) | undefined;

  function advance(): void {
    const [message] = waiting;
    if (!message?.isReady || isPosting || cancelPause) return;
    waiting.shift();
    void send(message);
  }

  async function send(message: Outgoing): Promise<void> {
    isPosting = true;
    const outcome = await post(message.body, ending.signal);
    isPosting = false;
    if (ending.signal.aborted) return;
    if (outcome === 'failed') {
      waiting.unshift(message);
      pause();
    } else {
      failures = 0;
      (outcome === 'sent' ? onSent : onDrop)?.();
    }
    dropOldest();
    advance();
  }

  function pause(): void {
    const longestMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    // Between half and all of it, so that not every page comes back at the same moment.
    const pauseMs = longestMs * (0.5 + random() / 2);
    cancelPause = setTimer(() => {
      cancelPause = undefined;
      advance();
    }, pauseMs);
  }

  function dropOldest(): void {
    while (waiting.length > maxWaiting) {
      waiting.shift();
      onDrop?.();
    }
  }

  return {
    add(message) {
      if (ending.signal.aborted) return;
      waiting.push(message);
      dropOldest();
    },
    advance,
    flush() {
      // In order: behind one that the browser does not take, all are posted as ever, if the page lives on.
      for (let [message] = waiting; message && beacon(message.body); [message] = waiting) waiting.shift();
      advance();
    },
    stop() {
      ending.abort();
      cancelPause?.();
      waiting.length = 0;
    },
  };
}
