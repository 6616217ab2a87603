import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type Limit, createLimit } from '../../contract/create-limit.ts';
import { PeopleError } from './people-error.ts';

/** Hashes passwords with scrypt, a few at a time. */
export type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  /** Without a stored hash it does the same work, and says no. So the time of an answer does not tell whether a name exists. */
  readonly verify: (password: string, stored: string | undefined) => Promise<boolean>;
};

/**
 * OWASP and ASVS 5 (appendix C) accept three pairs. This one needs the least memory, 32 MB a hash:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Node has four threads for such work, and the disk needs some of them. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;
const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

type Cost = typeof COST;

export function createPasswords(derive: typeof deriveKey = deriveKey): Passwords {
  const runInTurn = boundWork(MAX_AT_ONCE, MAX_WAITING);
  const unknown = { cost: COST, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      const key = await runInTurn(() => derive(password, salt, COST));
      const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString('base64url'));
      return `scrypt$${COST.N}$${COST.r}$${COST.p}$${saltText}$${keyText}`;
    },
    verify: async (password, stored) => {
      const known = stored === undefined ? undefined : parseHash(stored);
      const { cost, salt, key } = known ?? unknown;
      const given = await runInTurn(() => derive(password, salt, cost));
      return timingSafeEqual(given, key) && known !== undefined;
    },
  };
}

function parseHash(stored: string): { cost: Cost; salt: Buffer; key: Buffer } | undefined {
  const [, N, r, p, salt, key] = FORM.exec(stored) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length !== KEY_BYTES) return undefined;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: bytes,
  };
}

function deriveKey(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Lets a few jobs run at once and some more wait, and refuses the rest: guesses cannot use up memory or threads. */
export function boundWork(maxAtOnce: number, maxWaiting: number): Limit {
  return createLimit(maxAtOnce, { maxWaiting, refuse: refuseWork });
}

function refuseWork(): never {
  const message = 'Too many people are signing in at this moment: try again in some seconds.';
  throw new PeopleError('too-many-sign-ins', message, 5);
}
