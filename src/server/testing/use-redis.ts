import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { type OpenRedisOptions, type Redis, openRedis } from '../redis/open-redis.ts';
import { PATIENCE } from './patience.ts';
import { type TestRedis, startRedis } from './start-redis.ts';

export type SharedTestRedis = {
  /** A connection that all tests share. */
  readonly redis: Redis;
  /** Makes another connection, which is closed with its test. */
  readonly connect: (options?: Partial<OpenRedisOptions>) => Promise<Redis>;
  /** Ends Redis, with all that it holds. Resolves when the shared connection has noticed. */
  readonly takeAway: () => Promise<void>;
  /** Starts Redis again, empty. Resolves when the shared connection is there again. */
  readonly bringBack: () => Promise<void>;
  /** The server itself, for what the others do not do. Only inside of a test. */
  readonly server: () => TestRedis;
};

/** Starts a Redis for the tests of a file or of a `describe`. It is empty before each of them. */
export function useRedis(): SharedTestRedis {
  let server: TestRedis;
  let redis: Redis;
  const log = pino({ level: 'silent' });
  const waitUntilReady = (isReady: boolean): Promise<void> =>
    vi.waitFor(() => expect(redis.isReady()).toBe(isReady), PATIENCE);

  beforeAll(async () => {
    server = await startRedis();
    redis = await openRedis({ url: server.url, log });
  });
  afterAll(async () => {
    redis.close();
    await server.close();
  });
  beforeEach(async () => {
    // The test before may have started Redis again, and a connection is made anew in its own time.
    await vi.waitFor(() => redis.ask((client) => client.flushAll()), PATIENCE);
  });

  return {
    redis: {
      ask: (question) => redis.ask(question),
      isReady: () => redis.isReady(),
      close: () => redis.close(),
    },
    connect: async (options) => {
      const connection = await openRedis({ url: server.url, log, ...options });
      onTestFinished(connection.close);
      return connection;
    },
    takeAway: async () => {
      await server.kill();
      await waitUntilReady(false);
    },
    bringBack: async () => {
      await server.start();
      await waitUntilReady(true);
    },
    server: () => server,
  };
}
