import type { Redis } from '../redis/open-redis.ts';
import type { MeasurementStore } from './measurement-store.ts';

const FOLDS = 'folds';
const BYTES = 'bytes';

/** Keeps the snapshot in Redis, where a new replica finds it. Of those of all replicas the one that knows most stays. */
export function createRedisSnapshots(
  redis: Redis,
  prefix: string,
): Pick<MeasurementStore, 'loadSnapshot' | 'saveSnapshot'> {
  const key = `${prefix}:snapshot`;
  return {
    loadSnapshot: async () => {
      const stored = await redis.ask((client) => client.hGet(key, BYTES));
      return stored === null ? undefined : Buffer.from(stored, 'base64');
    },
    saveSnapshot: ({ folds, bytes, isForced = false }) =>
      redis.ask(async (client) => {
        const kept = Number(await client.hGet(key, FOLDS));
        if (kept >= folds && !isForced) return kept;
        await client.hSet(key, { [FOLDS]: folds, [BYTES]: bytes.toString('base64') });
        return folds;
      }),
  };
}
