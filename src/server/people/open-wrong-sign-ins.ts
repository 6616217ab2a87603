import { DAY_MS } from '../../contract/time-units.ts';
import { type Database, isAway } from '../store/database.ts';
import { isUnanswered, refuseTry } from './count-tries.ts';
import { hashKey } from './second-factor.ts';

/** Bounds how often somebody may guess, on all portals together. While the database is away, it bounds nothing. */
export type WrongSignIns = {
  /** Counts a try, and takes it back if it was right, or if the server could not find out. Undefined is wrong. */
  readonly attempt: <T>(guess: CountedGuess, check: () => Promise<T | undefined>) => Promise<T | undefined>;
  /** Removes what no longer counts. */
  readonly removeOld: () => Promise<void>;
};

export type CountedGuess = {
  readonly kind: 'account' | 'unknown name' | 'caller';
  /** The account, the name, or the address. The database has a hash of it: people type passwords into the wrong field. */
  readonly about: string;
  readonly windowMs: number;
  readonly maxTries: number;
  /** Within a day. Not bounded by default. */
  readonly maxTriesOfDay?: number;
};

/** Strangers can cause these, so only the newest ones are kept: an attack must not fill the disk. */
const KINDS_OF_STRANGERS = ['unknown name', 'caller'] as const;
const MAX_OF_STRANGERS = 10_000;

// If the clock was set back, the wait would be longer than any window: then a new window begins.
const IS_OVER = 'w.ends_at not between $now and $now + $3';
const IS_DAY_OVER = 'w.day_ends_at not between $now and $now + $4';
const TAKE = `insert into wrong_sign_ins as w (brand, kind, key_hash, tries, ends_at, tries_of_day, day_ends_at)
  values ($brand, $1, $2, 1, $now + $3, 1, $now + $4)
  on conflict (brand, kind, key_hash) do update set
    tries = case when ${IS_OVER} then 1 else w.tries + 1 end,
    ends_at = case when ${IS_OVER} then excluded.ends_at else w.ends_at end,
    tries_of_day = case when ${IS_DAY_OVER} then 1 else w.tries_of_day + 1 end,
    day_ends_at = case when ${IS_DAY_OVER} then excluded.day_ends_at else w.day_ends_at end
  where (${IS_OVER} or w.tries < $5) and (${IS_DAY_OVER} or w.tries_of_day < $6)`;
const GIVE_BACK = `update wrong_sign_ins set tries = tries - 1, tries_of_day = tries_of_day - 1
  where brand = $brand and kind = $1 and key_hash = $2 and tries > 0`;

export function openWrongSignIns(database: Pick<Database, 'read' | 'change' | 'state'>): WrongSignIns {
  return {
    attempt: async (guess, check) => {
      if (!(await take(guess))) return check();
      let isRight = false;
      try {
        const found = await check();
        isRight = found !== undefined;
        return found;
      } catch (error) {
        isRight = isUnanswered(error);
        throw error;
      } finally {
        if (isRight) await giveBack(guess);
      }
    },
    removeOld: async () => {
      if (!database.state().isUp) return;
      await database.change(
        'delete from wrong_sign_ins where brand = $brand and ends_at < $now and (day_ends_at < $now or tries_of_day = 0)',
      );
      for (const kind of KINDS_OF_STRANGERS)
        await database.change(
          `delete from wrong_sign_ins where brand = $brand and kind = $1 and ends_at <
             (select ends_at from wrong_sign_ins where brand = $brand and kind = $1
              order by ends_at desc limit 1 offset $2)`,
          [kind, MAX_OF_STRANGERS - 1],
        );
    },
  };

  /** Counts a try. Returns false if the database is away. Throws if there were too many. */
  async function take({ kind, about, windowMs, maxTries, maxTriesOfDay }: CountedGuess): Promise<boolean> {
    if (!database.state().isUp) return false;
    const isBoundByDay = maxTriesOfDay !== undefined;
    const key = [kind, hashKey(about)];
    const dayMs = isBoundByDay ? DAY_MS : windowMs;
    const mostOfDay = isBoundByDay ? maxTriesOfDay : maxTries;
    try {
      if ((await database.change(TAKE, [...key, windowMs, dayMs, maxTries, mostOfDay])) > 0) return true;
      const [row] = await database.read<{ wait: number }>(
        `select case when tries_of_day >= $3 then day_ends_at else ends_at end - $now as wait
         from wrong_sign_ins where brand = $brand and kind = $1 and key_hash = $2`,
        [...key, mostOfDay],
      );
      return refuseTry(Math.max(1, Math.ceil((row?.wait ?? 0) / 1_000)));
    } catch (error) {
      if (isAway(error)) return false;
      throw error;
    }
  }

  async function giveBack({ kind, about }: CountedGuess): Promise<void> {
    try {
      await database.change(GIVE_BACK, [kind, hashKey(about)]);
    } catch (error) {
      if (!isAway(error)) throw error; // Otherwise a right try counts as a wrong one.
    }
  }
}
