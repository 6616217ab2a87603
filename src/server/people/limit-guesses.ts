import { DAY_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { type Tries, countTries } from './count-tries.ts';
import type { Person } from './open-people-store.ts';
import type { WrongSignIns } from './open-wrong-sign-ins.ts';

/** Where somebody comes from: an address range such as `203.0.113.0/24`. */
export type From = { readonly prefix: string };

export type Guess<T> = {
  /** The account that the guess is about. Undefined if nobody has this name. */
  readonly person: Person | undefined;
  readonly name: string;
  readonly from: From;
  /** Undefined if the guess was wrong. */
  readonly check: () => Promise<T | undefined>;
};

/** Checks a guess. Undefined if it is wrong. Throws after too many wrong ones. */
export type LimitGuess = <T>(guess: Guess<T>) => Promise<T | undefined>;

export type LimitGuessesDeps = {
  readonly wrongSignIns: Pick<WrongSignIns, 'attempt'>;
  readonly now: () => number;
};

/** How many wrong tries there may be, of an account or of a caller. */
export const SHORT_TRIES = { windowMs: 5 * MINUTE_MS, maxTries: 10 };
/** A thief of the password could guess codes for months. */
const LONG = { windowMs: DAY_MS, maxTries: 50 };
const MAX_NAME_CHARS = 64;

/**
 * Bounds the guesses at each account. Guesses from address ranges that the person has used are counted apart from all others:
 * an attacker elsewhere may use up the tries of "elsewhere", and the person still signs in from a known range.
 * Each portal counts for itself, too, because the database may be away.
 */
export function limitGuesses({ wrongSignIns, now }: LimitGuessesDeps): LimitGuess {
  // Strangers' guesses at names that nobody has must not push the tries of real accounts out of memory.
  const [triesOfPeople, triesOfStrangers] = [createTries(now), createTries(now)];
  return ({ person, name, from, check }) => {
    const isKnown = person?.signIn?.prefixes.includes(from.prefix) === true;
    // Uses the account's own spelling. An unknown name is cut to 64 characters, so that it cannot fill the memory.
    const account = person?.name ?? name.slice(0, MAX_NAME_CHARS);
    const about = `${account.toLowerCase()} ${isKnown ? from.prefix : 'elsewhere'}`;
    const { short, long } = person === undefined ? triesOfStrangers : triesOfPeople;
    const kind = person === undefined ? 'unknown name' : 'account';
    const guess = { kind, about, ...SHORT_TRIES, maxTriesOfDay: LONG.maxTries } as const;
    return short.attempt(about, () => long.attempt(about, () => wrongSignIns.attempt(guess, check)));
  };
}

function createTries(now: () => number): { readonly short: Tries; readonly long: Tries } {
  return { short: countTries({ now, ...SHORT_TRIES }), long: countTries({ now, ...LONG }) };
}
