import type { MeasurementStore } from './learning/store/measurement-store.ts';
import { createMemoryStore } from './learning/store/memory-store.ts';
import { createRedisStore } from './learning/store/redis-store.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Redis } from './redis/open-redis.ts';

export type StateOptions = {
  readonly dataDir: string;
  /** Where replicas share what they know. Undefined for a portal that runs alone. */
  readonly shared: { readonly redis: Redis; readonly prefix: string } | undefined;
  readonly metrics: Pick<Metrics, 'countLoss'>;
  readonly now: () => number;
};

/** What the server keeps between requests, and what all replicas share, if there are several. */
export type State = {
  readonly store: MeasurementStore;
  readonly close: () => void;
};

/** Opens what the server keeps: in its data folder and its memory, or in Redis. */
export function openState({ dataDir, shared, metrics, now }: StateOptions): State {
  if (shared === undefined) {
    return {
      store: createMemoryStore({ dataDir, now }),
      close: () => undefined,
    };
  }
  const { redis, prefix } = shared;
  return {
    store: createRedisStore({ redis, prefix, onLoss: metrics.countLoss }),
    close: redis.close,
  };
}
