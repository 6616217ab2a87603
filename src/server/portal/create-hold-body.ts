import type { MiddlewareHandler } from 'hono';
import { namePrefix } from '../caller/parse-address.ts';
import { HttpError } from '../http/errors.ts';
import { createSharedRoom } from '../http/create-shared-room.ts';
import type { Visit, VisitEnv } from './visit.ts';

export type BodyLimits = {
  /** Of one body. One that does not say how large it is counts as the largest. */
  readonly maxBytes: number;
  /** Called if there is no room for a body now. Throws. */
  readonly refuse?: () => never;
};

/** Keeps room for the body of a request until it is answered. */
export type HoldBody = (limits: BodyLimits) => MiddlewareHandler<VisitEnv>;

/** Of the bodies that are on their way, of all senders. */
const MAX_HELD_BYTES = 32_000_000;
/** A request that waits for its body takes memory of its own, too: 4,000 of them took 140 MB. */
const MAX_HELD_BODIES = 1_200;
const RETRY_SECONDS = 5;

/**
 * Bounds the memory that slow bodies hold. Pages send some kilobytes within a second, so 1,200 at a time are plenty. A network
 * may hold an eighth of the room, so that others still find some.
 */
export function createHoldBody(): HoldBody {
  const [places, room] = [createSharedRoom(MAX_HELD_BODIES), createSharedRoom(MAX_HELD_BYTES)];
  return ({ maxBytes, refuse = refuseBusy }) =>
    async (c, next) => {
      const sender = findSender(c.get('visit'));
      const leave = places.take(sender, 1) ?? refuse();
      try {
        const release = room.take(sender, readLength(c.req.header('content-length'), maxBytes)) ?? refuse();
        try {
          await next();
        } finally {
          release();
        }
      } finally {
        leave();
      }
    };
}

/** Whose room a body takes: that of its prefix (a /24 or /48). Undefined for senders that the site does not limit. */
export function findSender({ site, caller: { address } }: Visit): string | undefined {
  return site.exempt.has(address) ? undefined : namePrefix(address);
}

/** The length of a body by its header, but never more than `maxBytes`. */
export function readLength(contentLength: string | undefined, maxBytes: number): number {
  const length = Number(contentLength ?? Number.NaN);
  return Number.isNaN(length) ? maxBytes : Math.min(length, maxBytes);
}

function refuseBusy(): never {
  throw new HttpError(503, {
    code: 'too-busy',
    message:
      'Too many requests of this network, or of everyone, wait for their bodies: try again in some seconds.',
    // The rest of the body is not read.
    headers: { 'Retry-After': String(RETRY_SECONDS), Connection: 'close' },
  });
}
