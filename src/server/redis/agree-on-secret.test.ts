import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestRedis, startRedis } from '../testing/start-redis.ts';
import { loadSecret } from '../process/load-secret.ts';
import { agreeOnSecret } from './agree-on-secret.ts';
import { type Redis, openRedis } from './open-redis.ts';

const KEY = 'waypost:{test}:secret';
const silent = pino({ level: 'silent' });
let server: TestRedis;
let redis: Redis;
let dataDir: string;

beforeAll(async () => {
  server = await startRedis();
  redis = await openRedis({ url: server.url, log: silent });
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-secret-'));
});
afterAll(async () => {
  redis.close();
  await server.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => void (await redis.ask((client) => client.flushAll())));

const agree = (own: Uint8Array): Promise<Uint8Array> =>
  agreeOnSecret(redis, { prefix: 'waypost:{test}', own, dataDir, log: silent });

test('the first secret that is offered is everybody’s', async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  expect(await agree(first)).toEqual(first);
  expect(await agree(second)).toEqual(first);
  // Should Redis forget it, the next start offers it again.
  expect(await loadSecret(dataDir, undefined)).toEqual(first);
});

test.each(['', 'c2hvcnQ', '!', randomBytes(33).toString('base64url')])(
  'a secret of another length (%j) is replaced, by one for all',
  async (found) => {
    await redis.ask((client) => client.set(KEY, found));
    const owns = Array.from({ length: 5 }, () => randomBytes(32));
    const agreed = await Promise.all(owns.map(agree));
    expect(new Set(agreed.map(String)).size).toBe(1);
    expect(owns).toContainEqual(agreed[0]);
    expect(await redis.ask((client) => client.get(KEY))).toBe(
      Buffer.from(agreed[0] ?? []).toString('base64url'),
    );
  },
);
