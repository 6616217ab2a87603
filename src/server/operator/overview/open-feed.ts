import {
  BEAT_EVENT,
  BEAT_EVERY_MS,
  type ConsoleOverview,
  OVERVIEW_EVENT,
} from '../../../contract/console.ts';
import { HttpError } from '../../http/errors.ts';
import type { TextOutput } from '../../http/stream-text.ts';

export type FeedDeps = {
  /** What is shown, with this version. */
  readonly describe: (version: number) => ConsoleOverview;
  /** Differs whenever something that the console shows has changed. */
  readonly fingerprint: () => string;
  readonly now: () => number;
  readonly maxStreams?: number;
  readonly maxStreamsPerCaller?: number;
};

/** Who listens, and until when. */
export type FeedListener = {
  readonly caller: string;
  /** Asked before each event: a session may have ended since the stream was opened. */
  readonly isStillAllowed: () => boolean;
};

/** Tells every open console when something has changed. */
export type Feed = {
  readonly version: () => number;
  /**
   * Sends server-sent events to one more console, until the returned function is called. Throws where there are too
   * many consoles already, of this caller or of all.
   */
  readonly join: (listener: FeedListener, output: TextOutput) => () => void;
  readonly endStreamsOf: (caller: string) => void;
  /** Sends what has changed, or a sign of life when it is due. The server calls it once a second. */
  readonly tell: () => void;
  /** Ends all streams at once, and those that are still opened. */
  readonly close: () => void;
};

const MAX_STREAMS = 20;
/** One caller cannot take the places of all others. */
const MAX_STREAMS_PER_CALLER = 10;

export function openFeed({
  describe,
  fingerprint,
  now,
  maxStreams = MAX_STREAMS,
  maxStreamsPerCaller = MAX_STREAMS_PER_CALLER,
}: FeedDeps): Feed {
  const outputs = new Map<TextOutput, FeedListener>();
  let version = 1;
  let seen = fingerprint();
  let sentAt = now();
  let isClosed = false;

  return {
    version: () => version,
    join: (listener, output) => {
      if (isFull(listener.caller)) refuseStream(maxStreams, maxStreamsPerCaller);
      output.write(formatEvent(OVERVIEW_EVENT, describe(version)));
      if (isClosed) output.end();
      else outputs.set(output, listener);
      return () => outputs.delete(output);
    },
    endStreamsOf: (caller) => {
      endWhere((listener) => listener.caller === caller);
    },
    tell: () => {
      endWhere(({ isStillAllowed }) => !isStillAllowed());
      // No console is open. The first event of the next one will have all changes.
      if (outputs.size === 0) return;
      const found = fingerprint();
      if (found !== seen) {
        seen = found;
        version += 1;
        send(formatEvent(OVERVIEW_EVENT, describe(version)));
      } else if (Math.abs(now() - sentAt) >= BEAT_EVERY_MS) {
        send(formatEvent(BEAT_EVENT, {}));
      }
    },
    close: () => {
      isClosed = true;
      for (const output of outputs.keys()) output.end();
      outputs.clear();
    },
  };

  function send(event: string): void {
    sentAt = now();
    for (const output of outputs.keys()) output.write(event);
  }

  function endWhere(fits: (listener: FeedListener) => boolean): void {
    for (const [output, listener] of outputs) {
      if (!fits(listener)) continue;
      output.end();
      outputs.delete(output);
    }
  }

  function isFull(caller: string): boolean {
    const own = [...outputs.values()].filter((listener) => listener.caller === caller).length;
    return outputs.size >= maxStreams || own >= maxStreamsPerCaller;
  }
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html: JSON has no line breaks of its own. */
function formatEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function refuseStream(maxStreams: number, maxStreamsPerCaller: number): never {
  throw new HttpError(503, {
    code: 'too-many-consoles',
    message: `At most ${maxStreams} consoles may be open, ${maxStreamsPerCaller} of one session or address: close one.`,
    headers: { 'Retry-After': '10' },
  });
}
