import type { Logger } from 'pino';
import { SECRET_BYTES, keepSecret } from '../process/load-secret.ts';
import type { Redis } from './open-redis.ts';

/** Replaces the first value by the second, if the first is still stored. Returns the value that is stored then. */
const REPLACE_SCRIPT = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return redis.call('GET', KEYS[1])
`;

export type AgreementOptions = {
  /** What all keys start with. */
  readonly prefix: string;
  /** The secret of this replica. */
  readonly own: Uint8Array;
  /** Where the secret that was agreed on is kept. */
  readonly dataDir: string;
  readonly log: Logger;
};

/**
 * Agrees with the other replicas on one secret, and keeps it in the data folder. Where that fails, this replica goes on
 * with its own.
 */
export async function agreeOnSecret(redis: Redis, options: AgreementOptions): Promise<Uint8Array> {
  const { own, dataDir, log } = options;
  try {
    const agreed = await offerSecret(redis, options);
    // If the disk is full, the copy is lost, but the agreement holds.
    await keepSecret(dataDir, agreed).catch((error: unknown) =>
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

/** The first secret that a replica offers is used by all. A secret that is too short is replaced. */
async function offerSecret(redis: Redis, { prefix, own, log }: AgreementOptions): Promise<Uint8Array> {
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
