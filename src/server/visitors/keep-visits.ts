import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { HOUR_MS } from '../../contract/limits.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import { takeTurns } from '../process/take-turns.ts';
import type { Redis } from '../redis/open-redis.ts';
import type { Cells } from './cells.ts';
import { type DayCounts, openDayFiles } from './day-files.ts';
import { SHARED_HOURS, createCountExchange } from './exchange-counts.ts';
import { addUpSources, createVisitLedger, dayOfHour, hoursOf } from './visit-ledger.ts';

/** Counts what visitors do, and keeps it. */
export type VisitKeeper = {
  /** Adds to what is counted now. Never waits, never fails. */
  readonly count: (cells: Cells) => void;
  /** What all replicas counted on a day, by hour. Hours and days are numbered since 1970, in UTC. */
  readonly readDay: (day: number) => Promise<ReadonlyMap<number, Cells>>;
  /** Saves the days that have changed. Logs it if that fails, and never rejects. */
  readonly save: () => Promise<void>;
  /** Exchanges counts with the other replicas, if there are any. Never rejects. */
  readonly exchange: () => Promise<void>;
  /** Repeats both. Returns what ends it. */
  readonly start: () => () => void;
  /** Keeps what would be lost. */
  readonly close: () => Promise<void>;
};

export type KeepVisitsOptions = {
  readonly dataDir: string;
  /** Undefined for a portal that runs alone. */
  readonly shared: { readonly redis: Redis; readonly prefix: string } | undefined;
  readonly log: Logger;
  readonly now: () => number;
};

/** A portal that is killed loses what it counted for this long at most, plus the time of a write. */
const SAVE_EVERY_MS = 5_000;
const EXCHANGE_EVERY_MS = 2_000;
const KEPT_DAYS = 400;
/** The console compares 30 days with the 30 before. */
const MAX_CACHED_DAYS = 64;
const FOLDER = 'visitors';

/** Keeps the counts of visits in the data folder: one file a day. Replicas share the newest days through Redis. */
export function keepVisits({ dataDir, shared, log, now }: KeepVisitsOptions): VisitKeeper {
  const unsaved = new Set<number>();
  /** The days in the ledger whose file was read. */
  const loaded = new Set<number>();
  /** Older days, which change no more. */
  const cache = new Map<number, ReadonlyMap<number, Cells>>();
  const faults = new Set<string>();
  const files = openDayFiles(join(dataDir, FOLDER), log);
  const inTurn = takeTurns();
  let cleanedOn = 0;
  const ledger = createVisitLedger({
    drawSource: randomUUID,
    onAdd: (hour, source, cell) => exchange?.note(hour, source, cell),
    onChange: (hour) => void unsaved.add(dayOfHour(hour)),
  });
  const exchange = shared && createCountExchange({ ...shared, drawName: randomUUID, ledger });
  const currentHour = (): number => Math.floor(now() / HOUR_MS);

  const save = (): Promise<void> =>
    attempt('saved', () =>
      inTurn(async () => {
        for (const day of recentDays()) await load(day);
        // What is counted meanwhile is saved the next time.
        const changed = [...unsaved];
        for (const day of changed) await saveDay(day);
        forgetOldDays();
        await removeOldFiles();
      }),
    );
  const exchangeCounts = (): Promise<void> =>
    attempt('shared', async () => exchange?.exchange(currentHour()));

  return {
    count: (cells) => ledger.add(currentHour(), cells),
    readDay: (day) => inTurn(() => readDay(day)),
    save,
    exchange: exchangeCounts,
    start: () =>
      stopAll(
        repeat(save, () => SAVE_EVERY_MS, { name: 'visits: save', log, firstPauseMs: 0 }),
        repeat(exchangeCounts, () => EXCHANGE_EVERY_MS, {
          name: 'visits: exchange counts',
          log,
          firstPauseMs: 0,
        }),
      ),
    close: async () => {
      await exchangeCounts();
      await save();
    },
  };

  /** The days of which an hour may still change on any replica. */
  function recentDays(): readonly number[] {
    const newest = dayOfHour(currentHour());
    const oldest = dayOfHour(currentHour() - SHARED_HOURS + 1);
    return Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
  }

  /** Takes over what the file of a day holds, once: another process may have counted before this one. */
  async function load(day: number): Promise<void> {
    if (loaded.has(day)) return;
    const counts = await files.read(day);
    loaded.add(day);
    const isUnsaved = unsaved.has(day);
    for (const [hour, sources] of counts) {
      for (const [source, cells] of sources) {
        for (const [cell, count] of cells) ledger.merge({ hour, source, cell, count });
      }
      exchange?.recheck(hour);
    }
    if (!isUnsaved) unsaved.delete(day);
  }

  async function saveDay(day: number): Promise<void> {
    await load(day);
    unsaved.delete(day);
    cache.delete(day);
    try {
      await files.write(day, countsOf(day));
    } catch (error) {
      unsaved.add(day);
      throw error;
    }
  }

  function countsOf(day: number): DayCounts {
    return new Map(hoursOf(day).map((hour) => [hour, ledger.sources(hour)]));
  }

  async function readDay(day: number): Promise<ReadonlyMap<number, Cells>> {
    const isRecent = recentDays().includes(day) || unsaved.has(day);
    if (isRecent) await load(day);
    const known = isRecent ? addUpDay(countsOf(day)) : cache.get(day);
    if (known !== undefined) return known;
    const sums = addUpDay(await files.read(day));
    cache.set(day, sums);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_DAYS && oldest !== undefined) cache.delete(oldest);
    return sums;
  }

  function forgetOldDays(): void {
    const recent = recentDays();
    for (const day of loaded) {
      if (recent.includes(day) || unsaved.has(day)) continue;
      ledger.drop(day);
      loaded.delete(day);
    }
  }

  async function removeOldFiles(): Promise<void> {
    const today = dayOfHour(currentHour());
    if (today === cleanedOn) return;
    await files.removeBefore(today - KEPT_DAYS + 1);
    cleanedOn = today;
  }

  /** Logs once when something fails, and once when it works again. */
  async function attempt(what: 'saved' | 'shared', job: () => Promise<void>): Promise<void> {
    try {
      await job();
      if (faults.delete(what)) log.info(`the numbers of visits are ${what} again`);
    } catch (error) {
      if (!faults.has(what)) log.error({ err: error }, `the numbers of visits cannot be ${what} for now`);
      faults.add(what);
    }
  }
}

function addUpDay(counts: DayCounts): ReadonlyMap<number, Cells> {
  return new Map([...counts].map(([hour, sources]) => [hour, addUpSources(sources)]));
}
