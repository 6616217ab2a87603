import { forgetOldest, putLast } from '../process/forget-oldest.ts';
import { isStoreError } from '../store/database.ts';
import { PeopleError } from './people-error.ts';

/** Bounds how often somebody may guess. */
export type Tries = {
  /**
   * Counts a try, before it is known whether it is right: many at once must not get past the limit. Throws if there were
   * too many: then the server does not accept even the right answer.
   */
  readonly take: (key: string) => void;
  /** Takes a try back that was right. */
  readonly giveBack: (key: string) => void;
  /** Counts a try, and takes it back if it was right, or if the server could not find out. Undefined is wrong. */
  readonly attempt: <T>(key: string, check: () => Promise<T | undefined>) => Promise<T | undefined>;
};

export type TriesOptions = {
  readonly now: () => number;
  readonly windowMs: number;
  readonly maxTries: number;
  /** Beyond this many keys the server forgets the one that was seen first, so that memory stays bounded. */
  readonly maxKeys?: number;
};

type Tally = { count: number; readonly endsAt: number };

export function countTries({ now, windowMs, maxTries, maxKeys = 10_000 }: TriesOptions): Tries {
  const tallies = new Map<string, Tally>();
  return {
    take,
    giveBack,
    attempt: async (key, check) => {
      take(key);
      try {
        const found = await check();
        if (found !== undefined) giveBack(key);
        return found;
      } catch (error) {
        if (isUnanswered(error)) giveBack(key);
        throw error;
      }
    },
  };

  function take(key: string): void {
    const tally = findOpen(key) ?? open(key);
    if (tally.count >= maxTries) refuseTry(Math.ceil((tally.endsAt - now()) / 1_000));
    tally.count += 1;
  }

  function giveBack(key: string): void {
    const tally = findOpen(key);
    if (tally !== undefined) tally.count -= 1;
  }

  function findOpen(key: string): Tally | undefined {
    const tally = tallies.get(key);
    // If the clock was set back, the wait would be longer than any window.
    const isOpen = tally !== undefined && tally.endsAt > now() && tally.endsAt <= now() + windowMs;
    return isOpen ? tally : undefined;
  }

  function open(key: string): Tally {
    const tally = { count: 0, endsAt: now() + windowMs };
    putLast(tallies, key, tally);
    forgetOldest(tallies, maxKeys);
    return tally;
  }
}

/** Whether the server could not find out if a try was right. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof PeopleError) {
    return error.code === 'too-many-sign-ins' || error.code === 'recovery-code-away';
  }
  return isStoreError(error);
}

/** Says that there were too many wrong tries. */
export function refuseTry(seconds: number): never {
  const message = `Too many wrong tries: try again in ${seconds} seconds.`;
  throw new PeopleError('too-many-tries', message, seconds);
}
