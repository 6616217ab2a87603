import type { Effects } from '../../../engine/effects/effects.ts';

/** What became of a message. `refused`: the intake does not want it. `failed`: it is worth another try. */
export type PostOutcome = 'sent' | 'refused' | 'failed';

export type MessageBody = string | Uint8Array<ArrayBuffer>;

/** A message in the queue. Its body may change until it is sent. */
export type Outgoing = {
  body: MessageBody;
  /** False while the body is still being compressed. */
  isReady: boolean;
};

export type SendQueue = {
  readonly add: (message: Outgoing) => void;
  /** Posts the first message, if it is ready and no other is being posted. */
  readonly advance: () => void;
  /** Hands all waiting messages to the browser, which sends them even if the page closes. */
  readonly flush: () => void;
  /** Forgets everything. */
  readonly stop: () => void;
};

export type SendQueueSettings = Pick<Effects, 'setTimer' | 'random'> & {
  readonly post: (body: MessageBody, signal: AbortSignal) => Promise<PostOutcome>;
  /** False if the browser does not take it. */
  readonly beacon: (body: MessageBody) => boolean;
  /** If more messages wait, the oldest is dropped. */
  readonly maxWaiting: number;
  readonly onDrop?: () => void;
  readonly onSent?: () => void;
};

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Creates a queue that posts messages one at a time, in order, however slow or broken the intake is. */
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
    // Random, so that not all pages try again at the same moment.
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
      // In order. After a message that the browser does not take, the rest is posted as usual, if the page stays.
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
