import type { AppContext } from './create-app.ts';
import type { AnswerHeaders } from './prepare-answer.ts';

/** Writes to an answer that stays open. */
export type TextOutput = {
  /** Cuts off a client that does not take what is written. */
  readonly write: (text: string) => void;
  readonly end: () => void;
};

/** Bytes that were written, and that the system's own buffers have no room for. */
const MAX_UNTAKEN_BYTES = 1_000_000;

/**
 * Sends an answer in pieces, over time. `start` gets the output to write to. The function that it returns is called when the
 * client has gone. Hono's own streams would wait for a slow client, and keep all that is written meanwhile.
 */
export function streamText(
  c: AppContext,
  headers: AnswerHeaders,
  start: (output: TextOutput) => () => void,
): Response {
  const { outgoing } = c.env;
  if (c.req.method === 'HEAD' || outgoing.destroyed) return new Response(null, { headers });
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        let isOpen = true;
        const stop = start({
          write: (text) => {
            if (!isOpen) return;
            if ((controller.desiredSize ?? 0) <= 0) outgoing.destroy();
            else controller.enqueue(Buffer.from(text));
          },
          end: () => {
            if (isOpen) controller.close();
            isOpen = false;
          },
        });
        outgoing.once('close', () => {
          isOpen = false;
          stop();
        });
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNTAKEN_BYTES }),
  );
  return new Response(body, { headers });
}
