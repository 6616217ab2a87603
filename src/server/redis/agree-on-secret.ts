import type { Redis } from './open-redis.ts';

/** Makes one secret of those of all replicas: the first that is offered is everybody's. */
export async function agreeOnSecret(redis: Redis, prefix: string, own: Uint8Array): Promise<Uint8Array> {
  const key = `${prefix}:secret`;
  const agreed = await redis.ask(async (client) => {
    await client.set(key, Buffer.from(own).toString('base64url'), { condition: 'NX' });
    return client.get(key);
  });
  return agreed === null ? own : Buffer.from(agreed, 'base64url');
}
