import { BEAT_EVENT, BEAT_EVERY_MS, type ConsoleOverview, OVERVIEW_EVENT } from '../../contract/console.ts';
import type { AnswerStream, StreamOutput } from '../http/exchange.ts';
import { HttpError } from '../http/http-error.ts';

export type FeedDeps = {
  /** What is shown, with this version. */
  readonly describe: (version: number) => ConsoleOverview;
  /** Differs whenever something that the console shows has changed. */
  readonly fingerprint: () => string;
  readonly now: () => number;
  readonly maxStreams?: number;
};

/** Tells every open console when something has changed. */
export type Feed = {
  readonly version: () => number;
  /** A stream of server-sent events; throws where there are too many already. */
  readonly open: () => AnswerStream;
  /** Sends what is due. To be repeated about once a second. */
  readonly look: () => void;
  /** Ends all streams at once, and those that are still opened. */
  readonly close: () => void;
};

const MAX_STREAMS = 20;

export function openFeed({ describe, fingerprint, now, maxStreams = MAX_STREAMS }: FeedDeps): Feed {
  const outputs = new Set<StreamOutput>();
  let version = 1;
  let seen = fingerprint();
  let sentAt = now();
  let isClosed = false;

  return {
    version: () => version,
    open: () => {
      if (outputs.size >= maxStreams) throw refuseStream(maxStreams);
      return (output) => {
        output.write(formatEvent(OVERVIEW_EVENT, describe(version)));
        if (isClosed) output.end();
        else outputs.add(output);
        return () => outputs.delete(output);
      };
    },
    look: () => {
      // Nobody looks: what has changed meanwhile is in the first event of whoever comes.
      if (outputs.size === 0) return;
      const found = fingerprint();
      if (found !== seen) {
        seen = found;
        version += 1;
        send(formatEvent(OVERVIEW_EVENT, describe(version)));
      } else if (now() - sentAt >= BEAT_EVERY_MS) {
        send(formatEvent(BEAT_EVENT, {}));
      }
    },
    close: () => {
      isClosed = true;
      for (const output of outputs) output.end();
      outputs.clear();
    },
  };

  function send(event: string): void {
    sentAt = now();
    for (const output of outputs) output.write(event);
  }
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html: JSON has no line breaks of its own. */
function formatEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function refuseStream(maxStreams: number): HttpError {
  return new HttpError(503, {
    code: 'too-many-consoles',
    message: `${maxStreams} consoles are open already: close one.`,
    headers: { 'Retry-After': '10' },
  });
}
