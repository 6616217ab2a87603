import { setTimeout as pause } from 'node:timers/promises';
import { ConflictError, StoreAwayError } from './database.ts';

const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 10;

/** Runs a transaction again while others get in its way: 6 tries, with longer and longer pauses of random length. */
export async function retryConflicts<T>(attempt: () => Promise<T>, random = Math.random): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      if (tries === MAX_TRIES) {
        throw new StoreAwayError(
          `the database is too busy: other transactions got in the way of this one ${MAX_TRIES} times`,
          { cause: error },
        );
      }
      await pause(random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
