import { setTimeout as wait } from 'node:timers/promises';

const MAX_REST_MS = 250;

/**
 * Runs jobs that take the processor from visitors. Each job starts after a rest, which is as long as the job before it took, and
 * at most 250 ms: visitors get every second moment. The jobs must come one after the other.
 */
export function restBetween(now: () => number): <T>(job: () => Promise<T>) => Promise<T> {
  let freeAt = 0;
  return async (job) => {
    await wait(Math.max(0, freeAt - now()));
    const startedAt = now();
    try {
      return await job();
    } finally {
      const endedAt = now();
      freeAt = endedAt + Math.min(endedAt - startedAt, MAX_REST_MS);
    }
  };
}
