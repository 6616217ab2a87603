import type { Logger } from 'pino';
import type { createClient } from 'redis';
import { HOUR_MS } from '../../contract/limits.ts';
import { DeadlineError, withDeadline } from '../process/with-deadline.ts';

export type RedisClient = ReturnType<typeof createClient>;

/** A connection to Redis that reconnects by itself. Nobody waits long for it. */
export type Redis = {
  /** Rejects at once while Redis is away, and after a while where it does not answer. */
  readonly ask: <T>(question: (client: RedisClient) => Promise<T>) => Promise<T>;
  readonly isReady: () => boolean;
  readonly close: () => void;
};

export type OpenRedisOptions = {
  /** `redis://` or `rediss://`, with user, password and database where they are needed. */
  readonly url: string;
  readonly log: Logger;
  /** An answer that takes longer is given up, and the connection with it. */
  readonly answerTimeoutMs?: number;
  /** How long the start waits for the first connection. */
  readonly connectTimeoutMs?: number;
  readonly now?: () => number;
};

/** Redis is away, or does not answer. */
class RedisError extends Error {
  override readonly name = 'RedisError';
  readonly code = 'redis';
}

const MAX_RETRY_MS = 2_000;
/** A refusal of one kind is logged this often: many parts of a portal ask, some of them each second. */
const LOG_REFUSAL_EVERY_MS = HOUR_MS;

/** Connects to Redis. Resolves when it is connected, or when it takes too long: the connection is then made later. */
export async function openRedis({
  url,
  log,
  answerTimeoutMs = 5_000,
  connectTimeoutMs = 3_000,
  now = Date.now,
}: OpenRedisOptions): Promise<Redis> {
  // Imported here, so that a portal without Redis does not load the library.
  const { createClient, ErrorReply, MultiErrorReply } = await import('redis');
  let isAway = false;
  /** When each kind of refusal was last logged. */
  const refusals = new Map<string, number>();
  let client = connect();
  await waitForFirst(connectTimeoutMs);

  return {
    ask: async (question) => {
      if (!client.isReady) throw new RedisError('Redis is not connected');
      const asked = client;
      try {
        const message = `Redis did not answer within ${answerTimeoutMs} ms`;
        return await withDeadline(question(asked), answerTimeoutMs, message);
      } catch (error) {
        // On a connection that hangs, the next command would hang, too. So a new connection is made.
        if (error instanceof DeadlineError) replace(asked);
        if (error instanceof ErrorReply) noteRefusal(error);
        throw error;
      }
    },
    isReady: () => client.isReady,
    close: () => {
      if (client.isOpen) client.destroy();
    },
  };

  function connect(): RedisClient {
    const created: RedisClient = createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: answerTimeoutMs, reconnectStrategy: findRetryMs },
    });
    // The library would wait for ever for a Redis that takes the connection and does not answer.
    let greeting: NodeJS.Timeout | undefined;
    created.on('connect', () => {
      clearTimeout(greeting);
      greeting = setTimeout(() => {
        noteAway(
          new RedisError(`Redis took the connection, and did not answer within ${answerTimeoutMs} ms`),
        );
        replace(created);
      }, answerTimeoutMs).unref();
    });
    created.on('error', (error: unknown) => {
      clearTimeout(greeting);
      noteAway(error);
    });
    created.on('end', () => clearTimeout(greeting));
    created.on('ready', () => {
      clearTimeout(greeting);
      log.info('Redis is connected');
      isAway = false;
    });
    created.connect().catch(() => undefined); // The event reports it, and the library tries again.
    return created;
  }

  function noteAway(error: unknown): void {
    if (!isAway) log.warn({ err: error }, 'Redis is away: serving goes on from memory');
    isAway = true;
  }

  /** Redis is there, and does not do what it is asked: it is full, read-only, or the user may not do it. */
  function noteRefusal(error: Error): void {
    const [reason = error] = error instanceof MultiErrorReply ? error.errors() : [];
    // Such as OOM, READONLY or NOPERM.
    const [kind = ''] = reason.message.split(' ', 1);
    if (Math.abs(now() - (refusals.get(kind) ?? Number.NEGATIVE_INFINITY)) < LOG_REFUSAL_EVERY_MS) return;
    refusals.set(kind, now());
    log.error({ err: reason }, 'Redis refuses what it is asked');
  }

  function replace(hanging: RedisClient): void {
    if (hanging !== client) return;
    if (hanging.isOpen) hanging.destroy();
    client = connect();
  }

  function waitForFirst(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      client.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function findRetryMs(retries: number): number {
  return Math.min(MAX_RETRY_MS, 50 * 2 ** Math.min(retries, 10));
}
