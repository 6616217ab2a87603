import { HttpError } from '../../http/errors.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';

/** Bounds how often one caller may guess a token. */
export type Tries = {
  /** Throws if a caller has guessed too often: then the server does not accept even the right token. */
  readonly check: (caller: string) => void;
  /** Counts a wrong guess. */
  readonly fail: (caller: string) => void;
};

const WINDOW_MS = 300_000;
const MAX_FAILURES = 10;
/** Beyond this many callers the server forgets the one that was locked out first, so that memory stays bounded. */
const MAX_LOCKED = 10_000;

export function countTries(now: () => number): Tries {
  const limiter = createRateLimiter({ windowMs: WINDOW_MS, limit: () => MAX_FAILURES, now });
  const lockedUntil = new Map<string, number>();
  return {
    check: (caller) => {
      const until = lockedUntil.get(caller);
      if (until === undefined) return;
      // If the clock was set back, the wait would be longer than any lock-out.
      if (until > now() && until <= now() + WINDOW_MS) refuseGuess(Math.ceil((until - now()) / 1_000));
      lockedUntil.delete(caller);
    },
    fail: (caller) => {
      const { remaining, resetSeconds } = limiter.consume(caller);
      if (remaining > 0) return;
      const [oldest] = lockedUntil.keys();
      if (lockedUntil.size >= MAX_LOCKED && oldest !== undefined) lockedUntil.delete(oldest);
      lockedUntil.set(caller, now() + resetSeconds * 1_000);
    },
  };
}

function refuseGuess(seconds: number): never {
  throw new HttpError(429, {
    code: 'too-many-tries',
    message: `Too many wrong tokens: try again in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
