import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { nameSchema } from '../../contract/people.ts';
import { ROLES } from '../../contract/roles.ts';
import { type Database, StoreAwayError, isAway } from '../store/database.ts';
import type { LastGood } from '../store/open-last-good.ts';
import { readPeople, writePeople } from './people-rows.ts';

/** The accounts and tokens of a portal. Everything that could be used to sign in is a hash, except the key of the codes. */
export type People = v.InferOutput<typeof peopleSchema>;
export type Person = v.InferOutput<typeof personSchema>;
export type ApiToken = v.InferOutput<typeof tokenSchema>;

/** The people as this portal knows them. The database decides what they are. */
export type PeopleStore = {
  readonly read: () => People;
  /** True once this portal has read them, from the database or from its copy. */
  readonly isKnown: () => boolean;
  /** Changes people. If the change throws, nothing is written. It may run several times. */
  readonly update: <T>(change: ChangePeople<T>, options?: UpdateOptions<T>) => Promise<T>;
};

export type OpenedPeopleStore = PeopleStore & {
  /** Follows what other portals and `waypost operator` change. The returned function stops that. */
  readonly follow: () => () => void;
  /** Writes what was changed while the database was away. Rejects if it still is. */
  readonly writeWaiting: () => Promise<void>;
};

export type UpdateOptions<T> = {
  /** What happens instead, on this portal alone, while the database is away. It is written when the database is back. */
  readonly whileAway?: ChangePeople<T>;
};

export type PeopleChange<T> = { readonly next: People; readonly result: T };
export type ChangePeople<T> = (people: People) => PeopleChange<T>;

export type PeopleStoreOptions = {
  readonly database: Pick<Database, 'isShared' | 'read' | 'transaction' | 'watch' | 'state'>;
  readonly lastGood: LastGood;
  readonly log: Pick<Logger, 'warn'>;
};

const role = v.picklist(ROLES);
const personSchema = v.strictObject({
  name: nameSchema,
  role,
  createdAt: v.number(),
  /** Grows with each change that must end the person's sessions. */
  epoch: v.number(),
  /** Absent until the invitation was used. */
  signIn: v.optional(
    v.strictObject({
      passwordHash: v.string(),
      /** The key of the authenticator app, in base32. */
      secret: v.string(),
      /** The time step of the last code that was used: neither it nor an earlier one is accepted again. */
      lastStep: v.number(),
      /** Hashes. A code that was used is removed. */
      recoveryCodes: v.array(v.string()),
      /** Address ranges from which the person has signed in, newest first. */
      prefixes: v.array(v.string()),
    }),
  ),
  invitation: v.optional(v.strictObject({ hash: v.string(), secret: v.string(), endsAt: v.number() })),
});
const tokenSchema = v.strictObject({
  id: v.string(),
  name: nameSchema,
  role,
  hash: v.string(),
  madeBy: v.string(),
  createdAt: v.number(),
  endsAt: v.number(),
});
const peopleSchema = v.strictObject({ people: v.array(personSchema), tokens: v.array(tokenSchema) });

const PEOPLE_TOPIC = 'people';
const NOBODY: People = { people: [], tokens: [] };
/** Sign-ins that wait for the database. */
const MAX_WAITING = 1_000;

/** Opens the people of a portal. If the database is away, they are those that this portal last knew. */
export async function openPeopleStore({
  database,
  lastGood,
  log,
}: PeopleStoreOptions): Promise<OpenedPeopleStore> {
  const waiting: ChangePeople<unknown>[] = [];
  let ownChanges = 0;
  let known = NOBODY;
  let isKnown = false;
  await load().catch(async (error: unknown) => {
    if (!database.isShared || !isAway(error)) throw error;
    const copy = await readLastGood({ lastGood, log });
    if (copy === undefined) return;
    known = copy;
    isKnown = true;
  });
  return {
    read: () => known,
    isKnown: () => isKnown,
    update: async (change, { whileAway } = {}) => {
      if (whileAway !== undefined && !database.state().isUp) return changeAlone(whileAway);
      try {
        return await changeForAll(change);
      } catch (error) {
        if (whileAway === undefined || !isAway(error)) throw error;
        return changeAlone(whileAway);
      }
    },
    follow: () => database.watch(PEOPLE_TOPIC, load),
    writeWaiting: async () => {
      const written = [...waiting];
      if (written.length === 0) return;
      await changeForAll((people) => ({ next: applyAll(written, people), result: undefined }));
      waiting.splice(0, written.length);
    },
  };

  async function changeForAll<T>(change: ChangePeople<T>): Promise<T> {
    const { next, result } = await updatePeople(database, change);
    ownChanges += 1;
    take(next);
    return result;
  }

  function changeAlone<T>(change: ChangePeople<T>): T {
    const { next, result } = change(known);
    if (next === known) return result;
    if (waiting.length >= MAX_WAITING)
      throw new StoreAwayError(`${MAX_WAITING} sign-ins wait for the database`);
    waiting.push(change);
    known = next;
    return result;
  }

  async function load(): Promise<void> {
    for (;;) {
      const before = ownChanges;
      const people = await readPeople(database.read);
      // A change that this portal has made meanwhile may not be in it.
      if (before === ownChanges) return take(people);
    }
  }

  function take(people: People): void {
    known = applyAll(waiting, people);
    isKnown = true;
    void lastGood.keep('people', Buffer.from(JSON.stringify(people)));
  }
}

/** The people that this portal last knew. Undefined if it has no copy of them that can be read. */
async function readLastGood({
  lastGood,
  log,
}: Pick<PeopleStoreOptions, 'lastGood' | 'log'>): Promise<People | undefined> {
  const copy = await lastGood.read('people');
  try {
    if (copy === undefined) {
      log.warn('this portal has no copy of the people: nobody can sign in until the database is back');
      return undefined;
    }
    return v.parse(peopleSchema, JSON.parse(copy.toString()));
  } catch (reason) {
    log.warn(
      { err: reason },
      'the copy of the people is damaged: nobody can sign in until the database is back',
    );
    return undefined;
  }
}

/** Changes the people in the database, and tells all portals. Returns all of them as they are then. */
export async function updatePeople<T>(
  database: Pick<Database, 'transaction'>,
  change: ChangePeople<T>,
): Promise<PeopleChange<T>> {
  return database.transaction(async (tx) => {
    const before = await readPeople(tx.query);
    const changed = change(before);
    if (isDeepStrictEqual(changed.next, before)) return changed;
    await writePeople(tx.change, before, changed.next);
    await tx.announce(PEOPLE_TOPIC);
    return changed;
  });
}

function applyAll(changes: readonly ChangePeople<unknown>[], people: People): People {
  return changes.reduce((before, change) => change(before).next, people);
}
