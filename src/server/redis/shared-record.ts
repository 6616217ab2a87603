import { createHash } from 'node:crypto';
import type { Redis } from './open-redis.ts';

/**
 * A text that all replicas share, with a number that grows. Its head is the number and the hash of the text: whoever has a
 * text with this head has the newest. Only a replica that knows the head can put another text in its place.
 */
export type SharedRecord = {
  /** The head that is in Redis, and how many objects are there. It keeps both from expiring. */
  readonly readHead: () => Promise<{ readonly head: string; readonly objects: number }>;
  /** The text of a head. Undefined if Redis holds another one by now, or if the text is damaged or too large. */
  readonly read: (head: string) => Promise<string | undefined>;
  /** Puts a text in the place of the one with the head `known`, all at once. */
  readonly replace: (known: string, next: NextRecord) => Promise<Replacement>;
  /** Which of these objects Redis does not hold. */
  readonly findMissing: (hashes: readonly string[]) => Promise<readonly string[]>;
  readonly putObject: (bytes: Uint8Array) => Promise<void>;
  /** The bytes of a hash. Undefined if Redis does not hold them. Bytes that are not what they should be are removed. */
  readonly readObject: (hash: string) => Promise<Buffer | undefined>;
};

export type NextRecord = {
  readonly head: string;
  readonly text: string;
  /** The hashes of the objects that belong to the text. All others are removed. */
  readonly objects?: readonly string[];
};

/** `moved`: another replica was faster. `incomplete`: Redis does not hold all objects, because it was restarted. */
export type Replacement = 'done' | 'moved' | 'incomplete';

export type SharedRecordOptions = {
  readonly redis: Redis;
  readonly key: string;
  readonly maxTextBytes: number;
  readonly maxObjectBytes?: number;
};

/** No record is older than the last replica that used it, and a day. */
const KEEP_MS = 86_400_000;
const FIELDS = { head: 'head', text: 'text' } as const;
const HEAD = /^([1-9]\d{0,8}) [\da-f]{64}$/;

/**
 * KEYS: the record, its objects
 * ARGV: the known head, the new head, the new text, ms that it is kept, and the hashes of all objects
 */
const REPLACE_SCRIPT = `
local head = redis.call('HGET', KEYS[1], '${FIELDS.head}') or ''
if head ~= ARGV[1] then return 'moved' end
local wanted = {}
for at = 5, #ARGV do
  if redis.call('HEXISTS', KEYS[2], ARGV[at]) == 0 then return 'incomplete' end
  wanted[ARGV[at]] = true
end
redis.call('HSET', KEYS[1], '${FIELDS.head}', ARGV[2], '${FIELDS.text}', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
for _, hash in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not wanted[hash] then redis.call('HDEL', KEYS[2], hash) end
end
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 'done'
`;

export function createSharedRecord({
  redis,
  key,
  maxTextBytes,
  maxObjectBytes = 0,
}: SharedRecordOptions): SharedRecord {
  const objectsKey = `${key}:objects`;
  // In base64 three bytes take four characters.
  const maxObjectChars = Math.ceil(maxObjectBytes / 3) * 4;
  return {
    readHead: () =>
      redis.ask(async (client) => {
        const [head, objects] = await Promise.all([
          client.hGet(key, FIELDS.head),
          client.hLen(objectsKey),
          client.pExpire(key, KEEP_MS),
          client.pExpire(objectsKey, KEEP_MS),
        ]);
        return { head: head ?? '', objects };
      }),
    read: async (head) => {
      const text = await readField(key, FIELDS.text, maxTextBytes);
      return text !== undefined && writeHead(numberOf(head), text) === head ? text : undefined;
    },
    replace: (known, { head, text, objects = [] }) =>
      redis.ask(async (client) => {
        const reply = await client.eval(REPLACE_SCRIPT, {
          keys: [key, objectsKey],
          arguments: [known, head, text, String(KEEP_MS), ...objects],
        });
        return reply === 'done' || reply === 'incomplete' ? reply : 'moved';
      }),
    findMissing: (hashes) =>
      redis.ask(async (client) => {
        const found = await Promise.all(hashes.map((hash) => client.hExists(objectsKey, hash)));
        return hashes.filter((_, index) => !found[index]);
      }),
    putObject: async (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      await redis.ask((client) => client.hSet(objectsKey, hashOf(bytes), text));
    },
    readObject: async (hash) => {
      const text = await readField(objectsKey, hash, maxObjectChars);
      const bytes = text === undefined ? undefined : Buffer.from(text, 'base64');
      if (bytes !== undefined && hashOf(bytes) === hash) return bytes;
      // Whoever has the right bytes puts them in again.
      await redis.ask((client) => client.hDel(objectsKey, hash));
      return undefined;
    },
  };

  /** Asks for the length first: a value that is too large must not be read. */
  function readField(from: string, field: string, maxChars: number): Promise<string | undefined> {
    return redis.ask(async (client) => {
      const length = Number(await client.hStrLen(from, field));
      return length > maxChars ? undefined : ((await client.hGet(from, field)) ?? undefined);
    });
  }
}

/** The head of a text. */
export function writeHead(number: number, text: string): string {
  return `${number} ${hashOf(text)}`;
}

/** The number of a head; 0 if there is none, or if it is not one of ours. */
export function numberOf(head: string): number {
  return Number(HEAD.exec(head)?.[1] ?? 0);
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
