import type { Logger } from 'pino';
import type { RateLimiter } from './http/rate-limiter.ts';
import { type SharedRateLimiter, shareRateLimiter } from './http/share-rate-limiter.ts';
import { keepSecret, loadSecret } from './process/load-secret.ts';
import type { MeasurementStore } from './learning/store/measurement-store.ts';
import { createMemoryStore } from './learning/store/memory-store.ts';
import { createRedisStore } from './learning/store/redis-store.ts';
import type { SteeringMetrics } from './metrics/steering-metrics.ts';
import { agreeOnSecret } from './redis/agree-on-secret.ts';
import { type Redis, openRedis } from './redis/open-redis.ts';
import { withDeadline } from './process/with-deadline.ts';
import { createRedisBoard } from './redis/redis-board.ts';
import { type ReplicaBoard, type ReplicaReport, createLoneBoard } from './redis/replica-board.ts';

/** What outlives a request, and is shared by all replicas where there are more than one. */
export type State = {
  readonly secret: Uint8Array;
  readonly store: MeasurementStore;
  readonly shareLimiter: (name: string, limiter: RateLimiter) => RateLimiter;
  /** Makes this replica known to the others, where there are any. */
  readonly joinReplicas: (describeSelf: () => ReplicaReport) => ReplicaBoard;
  /** Exchanges the counts of the limits. To be repeated about once a second; it never fails. */
  readonly look: () => Promise<void>;
  readonly close: () => void;
};

export type StateOptions = {
  readonly dataDir: string;
  /** Instead of the data folder's own secret. */
  readonly secret: string | undefined;
  /** Where replicas meet; undefined for a portal that runs alone. */
  readonly redisUrl: string | undefined;
  /** Tells sites apart that share a Redis. */
  readonly siteName: string;
  readonly metrics: Pick<SteeringMetrics, 'countLoss'>;
  readonly log: Logger;
  readonly now: () => number;
};

const DISK_LIMIT_MS = 10_000;

/** Opens what the portal keeps: in its data folder and its memory, or in Redis. */
export async function openState(options: StateOptions): Promise<State> {
  const { dataDir, redisUrl, log, now } = options;
  const secret = await waitForFolder(loadSecret(dataDir, options.secret), dataDir);
  if (!redisUrl) {
    return {
      secret,
      store: createMemoryStore({ dataDir, now }),
      shareLimiter: (_name, limiter) => limiter,
      joinReplicas: createLoneBoard,
      look: async () => undefined,
      close: () => undefined,
    };
  }
  const redis = await openRedis({ url: redisUrl, log });
  return shareState(redis, secret, options);
}

async function shareState(redis: Redis, own: Uint8Array, options: StateOptions): Promise<State> {
  const { metrics, now } = options;
  // The braces are a hash tag: a cluster keeps all keys of a site on one node, where a script can reach them.
  const prefix = `waypost:{${options.siteName.replaceAll(/[{}]/g, '')}}`;
  const secret = options.secret ? own : await shareSecret(redis, prefix, { own, ...options });
  const limiters: SharedRateLimiter[] = [];
  return {
    secret,
    store: createRedisStore({ redis, prefix, onLoss: metrics.countLoss }),
    shareLimiter: (name, limiter) => {
      const shared = shareRateLimiter(limiter, { redis, prefix: `${prefix}:limit:${name}`, secret, now });
      limiters.push(shared);
      return shared;
    },
    joinReplicas: (describeSelf) => createRedisBoard({ redis, prefix, describeSelf, now }),
    look: async () => {
      await Promise.all(limiters.map((limiter) => limiter.look()));
    },
    close: redis.close,
  };
}

async function shareSecret(
  redis: Redis,
  prefix: string,
  { own, dataDir, log }: { readonly own: Uint8Array; readonly dataDir: string; readonly log: Logger },
): Promise<Uint8Array> {
  try {
    const agreed = await agreeOnSecret(redis, { prefix, own, log });
    // A full disk costs the copy, and not the agreement.
    await waitForFolder(keepSecret(dataDir, agreed), dataDir).catch((error: unknown) =>
      log.warn({ err: error }, 'the secret of all replicas cannot be kept in the data folder'),
    );
    return agreed;
  } catch (error) {
    log.warn(
      { err: error },
      'no secret could be agreed on with the other replicas, so what they sign is refused here: set WAYPOST_SECRET, or start again when Redis is there',
    );
    return own;
  }
}

function waitForFolder<T>(job: Promise<T>, dataDir: string): Promise<T> {
  return withDeadline(job, DISK_LIMIT_MS, `${dataDir}: the data folder does not answer`);
}
