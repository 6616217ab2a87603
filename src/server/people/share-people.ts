import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { HttpError } from '../http/errors.ts';
import { createFileReplacer } from '../process/file-replacer.ts';
import { readCode } from '../process/read-code.ts';
import { takeTurns } from '../process/take-turns.ts';
import { DISK_LIMIT_MS, withDeadline } from '../process/with-deadline.ts';
import type { Redis } from '../redis/open-redis.ts';
import { createSharedRecord, numberOf, writeHead } from '../redis/shared-record.ts';
import { mergePeople } from './merge-people.ts';
import { type Change, NOBODY, type People, type PeopleStore, peopleSchema } from './people-store.ts';

export type SharePeopleOptions = {
  /** The people of this replica, which `waypost operator` may change, too. */
  readonly own: PeopleStore;
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  readonly dataDir: string;
  readonly log: Logger;
  readonly diskLimitMs?: number;
};

/** What the replicas last agreed on, and what they had agreed on before that. */
type Agreement = v.InferOutput<typeof agreementSchema>;

const agreementSchema = v.strictObject({ head: v.string(), people: peopleSchema, before: peopleSchema });
const NONE: Agreement = { head: '', people: NOBODY, before: NOBODY };
const FILE = 'people-shared.json';
const MAX_TEXT_BYTES = 2_000_000;
const TRIES = 10;

/** Redis is away, does not answer, or holds what this portal does not understand. */
class AwayError extends Error {
  override readonly name = 'AwayError';
  /** True if Redis was told of a change, and did not answer: it may have made the change. */
  readonly mayBeDone: boolean;

  constructor(message: string, { mayBeDone = false, ...options }: AwayOptions = {}) {
    super(message, options);
    this.mayBeDone = mayBeDone;
  }
}

type AwayOptions = ErrorOptions & { readonly mayBeDone?: boolean };

const REFUSALS = {
  away: {
    code: 'people-unavailable',
    message:
      'Redis cannot be used (the log says why), and without it the other portals would not learn of this: people and tokens can be changed when it is back.',
  },
  uncertain: {
    code: 'people-uncertain',
    message: 'Redis does not answer. Look again later: the change may have been made.',
  },
  'not kept': {
    code: 'people-uncertain',
    message:
      'The other portals know of the change, but this one cannot write people.json in its data folder. It tries again.',
  },
} as const;

/**
 * The same people on all replicas. A change counts once it is in Redis; each replica takes it over into its own file, and
 * brings it back should Redis forget it. What was changed in that file meanwhile is merged.
 */
export async function sharePeople({
  own,
  redis,
  prefix,
  dataDir,
  log,
  diskLimitMs = DISK_LIMIT_MS,
}: SharePeopleOptions): Promise<PeopleStore> {
  const shared = createSharedRecord({ redis, key: `${prefix}:people`, maxTextBytes: MAX_TEXT_BYTES });
  const path = join(dataDir, FILE);
  const replace = createFileReplacer(path);
  let agreed = await readAgreement();
  /** The head of what the file holds. */
  let keptHead = agreed.head;
  let isKept = true;
  let strangeHead = '';
  const inTurn = takeTurns();
  return {
    read: own.read,
    update: (change, options = {}) =>
      inTurn(async () => {
        try {
          return await agree(change);
        } catch (error) {
          if (!(error instanceof AwayError)) throw error;
          if (options.canWait) return own.update(change);
          throw new HttpError(503, REFUSALS[error.mayBeDone ? 'uncertain' : 'away']);
        }
      }),
    refresh: () =>
      inTurn(async () => {
        await own.refresh();
        await agree((people) => ({ next: people, result: undefined })).catch((error: unknown) => {
          if (!(error instanceof AwayError)) throw error;
        });
      }),
  };

  /** Applies a change to the newest people of all, and again if another replica was faster. */
  async function agree<T>(change: (people: People) => Change<T>): Promise<T> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { head } = await ask(shared.readHead);
      const mine = readMine();
      const theirs = await readTheirs(head);
      const known = theirs ?? agreed.people;
      const merged = mergePeople({ base: findBase(head, theirs), mine, theirs: known });
      const { next, result } = change(merged);
      const people = v.parse(peopleSchema, JSON.parse(JSON.stringify(next)));
      // Nobody is no news. But what is damaged in Redis is replaced, so that those who have the people put them in again.
      if (head === '' && agreed === NONE && isDeepStrictEqual(people, NOBODY)) return result;
      if (theirs !== undefined && isDeepStrictEqual(people, theirs)) {
        await keep({ head, people, before: agreed.people }, mine);
        return result;
      }
      const text = JSON.stringify(people);
      const nextHead = writeHead(findNextNumber(people, head, theirs), text);
      const replaced = await ask(() => shared.replace(head, { head: nextHead, text }), { mayBeDone: true });
      if (replaced !== 'done') continue;
      await keep({ head: nextHead, people, before: known }, mine);
      return result;
    }
    throw new AwayError('other replicas change people all the time');
  }

  /** What this replica and the others last had in common. */
  function findBase(head: string, theirs: People | undefined): People {
    // Two different states with the same number: Redis was restarted empty while this replica changed something.
    const isFork = theirs !== undefined && numberOf(head) === numberOf(agreed.head) && head !== agreed.head;
    return isFork ? agreed.before : agreed.people;
  }

  function findNextNumber(people: People, head: string, theirs: People | undefined): number {
    if (theirs !== undefined) return numberOf(head) + 1;
    // Whoever has agreed on more wins, so the number of a record that is damaged must not count.
    const number = numberOf(agreed.head);
    // What Redis has forgotten is put in again as it was.
    const isSame = number > 0 && isDeepStrictEqual(people, agreed.people);
    return isSame ? number : number + 1;
  }

  /** A file that was lost must not remove everybody from the other portals. It is written again. */
  function readMine(): People {
    const mine = own.read();
    return isDeepStrictEqual(mine, NOBODY) ? agreed.people : mine;
  }

  /** The people of a head. Undefined if Redis has forgotten them, has older ones, or has damaged ones. */
  async function readTheirs(head: string): Promise<People | undefined> {
    if (head === agreed.head) return head === '' ? undefined : agreed.people;
    if (numberOf(head) < numberOf(agreed.head) || numberOf(head) === 0) return undefined;
    const text = await ask(() => shared.read(head));
    if (text === undefined) return undefined;
    const people = parse(peopleSchema, text);
    if (people !== undefined) return people;
    // It is as somebody meant it, so this portal must not replace it by its own.
    if (head !== strangeHead) {
      log.error(
        'the people in Redis were written by a later version of Waypost, or by another program: update this portal',
      );
    }
    strangeHead = head;
    throw new AwayError('the people in Redis cannot be read');
  }

  async function keep(next: Agreement, mine: People): Promise<void> {
    const isNew = next.head !== agreed.head;
    if (isNew || !isDeepStrictEqual(next.people, own.read())) await keepPeople(next.people, mine);
    if (isNew) agreed = next;
    if (agreed.head !== keptHead) await keepAgreement();
  }

  async function keepPeople(next: People, mine: People): Promise<void> {
    try {
      await own.update((now) => {
        // Another process may have changed the file since.
        const isLost = isDeepStrictEqual(now, NOBODY);
        const people = isLost ? next : mergePeople({ base: mine, mine: now, theirs: next });
        return { next: isDeepStrictEqual(people, now) ? now : people, result: undefined };
      });
    } catch (error) {
      log.error({ err: error }, 'people of the other portals cannot be kept in the data folder');
      throw new HttpError(503, REFUSALS['not kept']);
    }
  }

  /** If it fails, the next refresh tries again. */
  async function keepAgreement(): Promise<void> {
    const { head } = agreed;
    const writing = replace(Buffer.from(`${JSON.stringify(agreed)}\n`)).then(() => (keptHead = head));
    try {
      await withDeadline(writing, diskLimitMs, `${path} was not written in time`);
      isKept = true;
    } catch (error) {
      if (isKept)
        log.error(
          { err: error },
          'what the portals agreed on about people cannot be kept in the data folder',
        );
      isKept = false;
    }
  }

  /**
   * Where portals have not agreed yet, what is in Redis and what is in the own file are put together. Where the file cannot be
   * read, that would bring everybody back who was removed on another portal meanwhile: so what is in Redis counts.
   */
  async function readAgreement(): Promise<Agreement> {
    try {
      return v.parse(agreementSchema, JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (readCode(error) === 'ENOENT') return NONE;
      log.error(
        { err: error, path },
        'what the portals agreed on about people cannot be read: the people in Redis count',
      );
      const people = own.read();
      return { head: '', people, before: people };
    }
  }
}

async function ask<T>(question: () => Promise<T>, { mayBeDone = false } = {}): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw new AwayError('Redis is away', { cause: error, mayBeDone });
  }
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    return undefined; // Not written by a portal, or cut off.
  }
}
