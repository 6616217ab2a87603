import type { Logger } from 'pino';
import { SECRET_BYTES } from '../process/load-secret.ts';
import type { Redis } from './open-redis.ts';

/** Puts the second value in place of the first, if it still stands there. Returns what stands there then. */
const REPLACE_SCRIPT = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return redis.call('GET', KEYS[1])
`;

/**
 * Makes one secret of those of all replicas: the first that is offered is everybody's. One that is too short to protect
 * anything, such as an empty text, is replaced.
 */
export async function agreeOnSecret(
  redis: Redis,
  { prefix, own, log }: { readonly prefix: string; readonly own: Uint8Array; readonly log: Logger },
): Promise<Uint8Array> {
  const key = `${prefix}:secret`;
  const offered = Buffer.from(own).toString('base64url');
  const found = await redis.ask(async (client) => {
    await client.set(key, offered, { condition: 'NX' });
    return client.get(key);
  });
  const secret = readSecret(found);
  if (secret !== undefined) return secret;
  log.warn({ key }, 'the secret in Redis is not one of ours: it is replaced');
  const replaced = await redis.ask((client) =>
    client.eval(REPLACE_SCRIPT, { keys: [key], arguments: [found ?? '', offered] }),
  );
  const agreed = readSecret(replaced);
  if (agreed === undefined) throw new TypeError(`${key} in Redis holds no secret of ours: delete it`);
  return agreed;
}

function readSecret(found: unknown): Uint8Array | undefined {
  const secret = Buffer.from(typeof found === 'string' ? found : '', 'base64url');
  return secret.length === SECRET_BYTES ? secret : undefined;
}
