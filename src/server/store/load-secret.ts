import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type Database, isAway } from './database.ts';
import type { LastGood } from './open-last-good.ts';

export type LoadSecretOptions = {
  readonly database: Pick<Database, 'isShared' | 'read' | 'change'>;
  readonly lastGood: LastGood;
  /** Instead of the one in the database. */
  readonly given: string | undefined;
  readonly log: Pick<Logger, 'warn'>;
};

/** A secret that cannot be used. */
class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code = 'secret';
}

const SECRET_BYTES = 32;

/** What all portals of a brand sign with: the given secret, or that of the database, which the first portal makes. */
export async function loadSecret({ database, lastGood, given, log }: LoadSecretOptions): Promise<Uint8Array> {
  if (given !== undefined && given !== '') {
    if (given.length < SECRET_BYTES) {
      throw new SecretError(
        `WAYPOST_SECRET must have at least ${SECRET_BYTES} characters, got ${given.length}`,
      );
    }
    return Buffer.from(given);
  }
  try {
    const secret = (await readSecret(database)) ?? (await makeSecret(database));
    void lastGood.keep('secret', secret);
    return secret;
  } catch (error) {
    if (!database.isShared || !isAway(error)) throw error;
    const copy = await lastGood.read('secret');
    if (copy?.length === SECRET_BYTES) return copy;
    log.warn(
      'this portal has never seen the database, which is away, so it signs with a secret of its own until it starts again: what the other portals sign is refused here',
    );
    return randomBytes(SECRET_BYTES);
  }
}

async function readSecret({ read }: Pick<Database, 'read'>): Promise<Uint8Array | undefined> {
  const [row] = await read<{ secret: string }>('select secret from secrets where brand = $brand');
  if (row === undefined) return undefined;
  const secret = Buffer.from(row.secret, 'base64url');
  if (secret.length === SECRET_BYTES) return secret;
  throw new SecretError(
    'the table "secrets" does not hold a secret of ours: delete its row, and a new one is made at the next start',
  );
}

async function makeSecret(database: Pick<Database, 'read' | 'change'>): Promise<Uint8Array> {
  // Of portals that start together, one is first.
  await database.change(
    'insert into secrets (brand, secret) values ($brand, $1) on conflict (brand) do nothing',
    [randomBytes(SECRET_BYTES).toString('base64url')],
  );
  const secret = await readSecret(database);
  if (secret === undefined) throw new SecretError('the secret went away while it was being made');
  return secret;
}
