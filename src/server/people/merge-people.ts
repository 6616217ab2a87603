import { isDeepStrictEqual } from 'node:util';
import type { People, Person } from './people-store.ts';

type SignIn = NonNullable<Person['signIn']>;

/** The people as they were when two replicas last agreed, and what became of them on each since then. */
export type ThreePeople = { readonly base: People; readonly mine: People; readonly theirs: People };

/**
 * Puts together what two replicas have changed. Whoever was removed by one of them stays removed. If both changed the same,
 * theirs counts, except for what signing in leaves behind: a code that was used up on either of them stays used up.
 */
export function mergePeople({ base, mine, theirs }: ThreePeople): People {
  if (isDeepStrictEqual(mine, base)) return theirs;
  if (isDeepStrictEqual(theirs, base)) return mine;
  return {
    version: 1,
    people: mergeLists([base.people, mine.people, theirs.people], nameOf, mergePerson),
    tokens: mergeLists(
      [base.tokens, mine.tokens, theirs.tokens],
      ({ id }) => id,
      (_base, _mine, theirToken) => theirToken,
    ),
  };
}

/** Capital letters make no difference. */
function nameOf({ name }: Person): string {
  return name.normalize('NFC').toLowerCase();
}

function mergeLists<T>(
  lists: readonly [base: readonly T[], mine: readonly T[], theirs: readonly T[]],
  keyOf: (item: T) => string,
  mergeBoth: (base: T | undefined, mine: T, theirs: T) => T,
): T[] {
  const [base, mine, theirs] = lists.map((list) => new Map(list.map((item) => [keyOf(item), item])));
  const keys = new Set([...(theirs?.keys() ?? []), ...(mine?.keys() ?? [])]);
  return [...keys].flatMap((key) => {
    const [before, my, their] = [base?.get(key), mine?.get(key), theirs?.get(key)];
    // One of the two does not have it: it was added by the other one, or removed by this one.
    if (my === undefined || their === undefined) return before === undefined ? (my ?? their ?? []) : [];
    if (isDeepStrictEqual(my, before)) return their;
    return isDeepStrictEqual(their, before) ? my : mergeBoth(before, my, their);
  });
}

function mergePerson(base: Person | undefined, mine: Person, theirs: Person): Person {
  // Two people who have the same name by chance.
  if (base === undefined || mine.createdAt !== theirs.createdAt) return theirs;
  const haveBothEnded = mine.epoch !== base.epoch && theirs.epoch !== base.epoch;
  return {
    ...theirs,
    role: pick(base.role, mine.role, theirs.role),
    epoch: Math.max(mine.epoch, theirs.epoch) + (haveBothEnded ? 1 : 0),
    invitation: pick(base.invitation, mine.invitation, theirs.invitation),
    signIn: mergeSignIn(base.signIn, mine.signIn, theirs.signIn),
  };
}

function mergeSignIn(
  base: SignIn | undefined,
  mine: SignIn | undefined,
  theirs: SignIn | undefined,
): SignIn | undefined {
  if (!isSameAccess(base, theirs)) return theirs;
  if (!isSameAccess(base, mine)) return mine;
  if (base === undefined || mine === undefined || theirs === undefined) return theirs;
  return {
    ...theirs,
    lastStep: Math.max(mine.lastStep, theirs.lastStep),
    recoveryCodes: mergeCodes(base.recoveryCodes, mine.recoveryCodes, theirs.recoveryCodes),
    prefixes: pick(base.prefixes, mine.prefixes, theirs.prefixes),
  };
}

/** True if the same password and the same authenticator app open the account. */
function isSameAccess(one: SignIn | undefined, other: SignIn | undefined): boolean {
  return one?.passwordHash === other?.passwordHash && one?.secret === other?.secret;
}

/** Codes that somebody made anew replace the old ones. Otherwise those are left that nobody has used. */
function mergeCodes(base: string[], mine: string[], theirs: string[]): string[] {
  const isNew = (codes: readonly string[]): boolean => codes.some((code) => !base.includes(code));
  if (isNew(theirs)) return theirs;
  return isNew(mine) ? mine : theirs.filter((code) => mine.includes(code));
}

/** Whichever was changed; theirs, if both were. */
function pick<T>(base: T, mine: T, theirs: T): T {
  return isDeepStrictEqual(theirs, base) ? mine : theirs;
}
