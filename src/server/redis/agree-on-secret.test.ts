import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useRedis } from '../testing/use-redis.ts';
import { loadSecret } from '../process/load-secret.ts';
import { agreeOnSecret } from './agree-on-secret.ts';

const KEY = 'waypost:{test}:secret';
const silent = pino({ level: 'silent' });
const { redis } = useRedis();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-secret-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

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
