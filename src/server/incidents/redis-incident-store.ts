import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import * as v from 'valibot';
import type { Redis } from '../redis/open-redis.ts';
import {
  EMPTY_BOOK,
  type IncidentBook,
  type Take,
  decodeBook,
  encodeBook,
  mergeBooks,
} from './incident-book.ts';
import type { IncidentStore, Lead } from './incident-store.ts';

export type RedisIncidentStoreOptions = {
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  /** Where the incidents are kept while Redis is away. */
  readonly file: IncidentStore;
  readonly log: Logger;
  readonly now: () => number;
  /** A portal that leads and is silent for this long no longer leads. */
  readonly leadMs?: number;
};

const LEAD_MS = 10_000;
const takeSchema = v.pipe(v.string(), v.parseJson(), v.object({ id: v.string(), by: v.string() }));

/**
 * Takes the lead, or keeps it. Where there is no book, Redis has lost everything: only a portal that may begin one takes the
 * lead. Returns whether this portal leads, and whether there is a book.
 */
const LEAD_SCRIPT = `
local leader = redis.call('GET', KEYS[1])
local hasBook = redis.call('EXISTS', KEYS[2])
local isFree = not leader and (hasBook == 1 or ARGV[3] == 'may begin')
local isLeading = isFree or leader == ARGV[1]
if isLeading then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return { isLeading and 1 or 0, hasBook }
`;

/** Gives the lead up, if this portal has it. */
const LEAVE_SCRIPT = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;

/**
 * Writes the book, if this portal still leads, and with it takes away what has become part of the book: a portal that is killed
 * before that leaves it to the next one. Returns 1 if it was written.
 */
const SAVE_SCRIPT = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('LTRIM', KEYS[3], ARGV[3], -1)
redis.call('LTRIM', KEYS[4], ARGV[4], -1)
return 1
`;

/**
 * Lets one of several portals follow the incidents and send the messages: the one that holds a note in Redis which expires.
 * The others read its book, and one of them takes over when it is gone. While Redis is away each portal goes on alone, with
 * its own file; afterwards the books are brought together.
 */
export function createRedisIncidentStore(options: RedisIncidentStoreOptions): IncidentStore {
  const { redis, prefix, file, log, now, leadMs = LEAD_MS } = options;
  const id = randomUUID();
  const keys = {
    leader: `${prefix}:incidents:leader`,
    book: `${prefix}:incidents:book`,
    /** The books of portals that were alone. */
    offers: `${prefix}:incidents:offers`,
    takes: `${prefix}:incidents:takes`,
  };
  /** What this portal is. It starts alone: its file may hold what it wrote while Redis was away. */
  let role: 'alone' | 'leading' | 'following' = 'alone';
  let isFileRead = false;
  /** What the file holds: what this portal has written alone, and not handed over yet. */
  let inFile = EMPTY_BOOK;
  let answeredAt = now();
  /** Since when Redis has had no book, as far as this portal knows. */
  let emptySince: number | undefined;
  /** How many of the offers and takes in Redis are in this portal's book. */
  let inBook = { offers: 0, takes: 0 };
  /** The book that was read last, if this portal follows. */
  let readText: string | null = null;

  return {
    lead: async () => {
      const adoptFile = await readFile();
      try {
        const { isLeading, hasBook } = await takeLead();
        const lead = isLeading ? await goOnLeading(hasBook) : await goOnFollowing();
        answeredAt = now();
        return after(adoptFile, lead);
      } catch {
        // For as long as the other one may still lead, two would send the same.
        if (role === 'following' && Math.abs(now() - answeredAt) < leadMs)
          return { isLeading: false, takes: [] };
        role = 'alone';
        return after(adoptFile, { isLeading: true, takes: [] });
      }
    },
    save: async (book) => {
      switch (role) {
        case 'following':
          return false; // A message that was under way has ended after another portal took the lead.
        case 'alone':
          return saveAlone(book);
        case 'leading':
          return saveShared(book);
      }
    },
    passOn: async (take) => {
      await redis.ask((client) => client.rPush(keys.takes, JSON.stringify(take)));
    },
    close: async () => {
      const { leader } = keys;
      await redis
        .ask((client) => client.eval(LEAVE_SCRIPT, { keys: [leader], arguments: [id] }))
        .catch(() => undefined);
    },
  };

  async function readFile(): Promise<Lead['adopt']> {
    if (isFileRead) return undefined;
    const { adopt } = await file.lead();
    isFileRead = true;
    inFile = adopt?.(EMPTY_BOOK) ?? EMPTY_BOOK;
    return adopt;
  }

  async function takeLead(): Promise<{ readonly isLeading: boolean; readonly hasBook: boolean }> {
    // The portal that led has the newest book, and gets the time to write it again.
    const mayBegin = role !== 'following' || Math.abs(now() - (emptySince ?? now())) >= leadMs;
    const answer = await redis.ask((client) =>
      client.eval(LEAD_SCRIPT, {
        keys: [keys.leader, keys.book],
        arguments: [id, String(leadMs), mayBegin ? 'may begin' : ''],
      }),
    );
    const [isLeading, hasBook] = Array.isArray(answer) ? answer : [];
    emptySince = hasBook === 1 ? undefined : (emptySince ?? now());
    return { isLeading: isLeading === 1, hasBook: hasBook === 1 };
  }

  async function saveShared(book: IncidentBook): Promise<boolean> {
    const { leader, book: place, offers, takes } = keys;
    const handled = [String(inBook.offers), String(inBook.takes)];
    try {
      const answer = await redis.ask((client) =>
        client.eval(SAVE_SCRIPT, {
          keys: [leader, place, offers, takes],
          arguments: [id, encodeBook(book), ...handled],
        }),
      );
      if (answer !== 1) return false;
    } catch {
      role = 'alone'; // Redis is away.
      return saveAlone(book);
    }
    inBook = { offers: 0, takes: 0 };
    await emptyFile();
    return true;
  }

  async function saveAlone(book: IncidentBook): Promise<boolean> {
    await file.save(book);
    inFile = book;
    return true;
  }

  /** After Redis has what was written alone. If it fails, the same is handed over again, which changes nothing. */
  async function emptyFile(): Promise<void> {
    if (inFile.incidents.length === 0) return;
    await saveAlone(EMPTY_BOOK).catch(() => undefined);
  }

  async function goOnLeading(hasBook: boolean): Promise<Lead> {
    const before = role;
    const [offers, takes] = await redis.ask((client) =>
      Promise.all([client.lRange(keys.offers, 0, -1), client.lRange(keys.takes, 0, -1)]),
    );
    const found = before === 'leading' ? undefined : await readBook();
    role = 'leading';
    inBook = { offers: offers.length, takes: takes.length };
    const offered = offers.flatMap((text) => parse(text) ?? []);
    const lead = { isLeading: true, takes: takes.flatMap(parseTake) };
    // Without a book Redis has lost it, so this portal's own is to be written again.
    if (found === undefined && offers.length === 0 && hasBook) return lead;
    return {
      ...lead,
      adopt: (own) => {
        // A portal that only read along has nothing of its own.
        const base = before === 'following' ? (found ?? own) : found ? mergeBooks(found, own) : own;
        return offered.reduce(mergeBooks, base);
      },
    };
  }

  async function goOnFollowing(): Promise<Lead> {
    const wasAlone = role === 'alone';
    // Until that has worked, this portal stays alone.
    if (wasAlone && inFile.incidents.length > 0) {
      await redis.ask((client) => client.rPush(keys.offers, encodeBook(inFile)));
      await emptyFile();
    }
    const text = await redis.ask((client) => client.get(keys.book));
    role = 'following';
    if (!wasAlone && text === readText) return { isLeading: false, takes: [] };
    readText = text;
    const found = text === null ? undefined : parse(text);
    return { isLeading: false, takes: [], adopt: (own) => found ?? own };
  }

  async function readBook(): Promise<IncidentBook | undefined> {
    const text = await redis.ask((client) => client.get(keys.book));
    return text === null ? undefined : parse(text);
  }

  function parse(text: string): IncidentBook | undefined {
    try {
      return decodeBook(text);
    } catch (error) {
      log.warn({ err: error }, 'the incidents in Redis cannot be read: they are ignored');
      return undefined;
    }
  }
}

/** Others can write to Redis. What is not a take is dropped with the next book. */
function parseTake(text: string): Take[] {
  const { success, output } = v.safeParse(takeSchema, text);
  return success ? [output] : [];
}

function after(first: Lead['adopt'], { adopt, ...lead }: Lead): Lead {
  if (first === undefined) return { ...lead, ...(adopt && { adopt }) };
  return { ...lead, adopt: (own) => (adopt ? adopt(first(own)) : first(own)) };
}
