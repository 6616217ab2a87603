import { randomFillSync } from 'node:crypto';
import { TICKET_LIFE_MS } from '../../contract/limits.ts';
import type { Signer } from '../caller/create-signer.ts';

export type Ticket = {
  /** The /24 or /48 of the caller that it was handed to. */
  readonly prefix: string;
  /** Where that caller is counted, see `area.ts`. */
  readonly area: string;
  /** The ids of the hosts that were handed out, then those of the fallback hosts, then that of the line whose page asked. */
  readonly lineIds: readonly string[];
};

export type TicketReading =
  | { readonly kind: 'ticket'; readonly ticket: Ticket; readonly signature: string; readonly ageMs: number }
  | { readonly kind: 'refused'; readonly reason: 'ticket-invalid' | 'ticket-expired' };

export type Tickets = {
  readonly issue: (ticket: Ticket) => string;
  readonly read: (text: string) => TicketReading;
};

const SHAPE =
  /^((\d{1,15})~([\da-f.:]{1,23})~([A-Z]{0,2}\/[\w.:]{1,23})~([\w-]{8}(?:\.[\w-]{8}){0,8})~[\w-]{4})~([\w-]+)$/;
/** Two visitors of one prefix may get their tickets in the same millisecond. The tickets must differ: each may be spent once. */
const NONCE_BYTES = 3;
/** Random bytes are drawn for this many tickets at a time: drawn one by one, they took half of the time of a ticket. */
const NONCES_PER_DRAW = 1_000;

/** Hands out tickets with which a page may report what it measured, about the hosts it was given and no others. */
export function createTickets(signer: Signer, now: () => number): Tickets {
  const drawNonce = createNonces();
  return {
    issue: ({ prefix, area, lineIds }) => {
      const nonce = drawNonce();
      const text = `${now()}~${prefix}~${area}~${lineIds.join('.')}~${nonce}`;
      return `${text}~${signer.sign('ticket', text)}`;
    },
    read: (given) => {
      const [, text, issued, prefix, area, ids, signature] = SHAPE.exec(given) ?? [];
      const isWhole = text && issued && prefix && area && ids && signature;
      if (!isWhole || !signer.verify('ticket', text, signature)) {
        return { kind: 'refused', reason: 'ticket-invalid' };
      }
      // A time in the future means that the clock was set back meanwhile.
      const ageMs = Math.abs(now() - Number(issued));
      if (ageMs >= TICKET_LIFE_MS) return { kind: 'refused', reason: 'ticket-expired' };
      return { kind: 'ticket', ticket: { prefix, area, lineIds: ids.split('.') }, signature, ageMs };
    },
  };
}

function createNonces(): () => string {
  const bytes = Buffer.alloc(NONCE_BYTES * NONCES_PER_DRAW);
  let next = bytes.length;
  return () => {
    if (next === bytes.length) {
      randomFillSync(bytes);
      next = 0;
    }
    next += NONCE_BYTES;
    return bytes.toString('base64url', next - NONCE_BYTES, next);
  };
}
