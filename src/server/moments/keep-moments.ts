import type { Logger } from 'pino';
import { MOMENTS_KEPT_MS, MOMENT_EVERY_MS, type MomentChange } from '../../contract/moments.ts';
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts';
import type { Minute } from '../learning/create-history.ts';
import type { StepWatch, Steps } from '../process/create-step-watch.ts';
import { forgetOldest, putLast } from '../process/forget-oldest.ts';
import { requireTerm } from '../store/create-lead.ts';
import type { Database, Row } from '../store/database.ts';
import { listPlaces } from '../store/many-rows.ts';
import {
  type Moment,
  type MomentMinutes,
  packMinutes,
  packMoment,
  unpackMinutes,
  unpackMoment,
} from './moment.ts';

/** A moment with what happened since the one before it. */
export type NewMoment = {
  readonly at: number;
  readonly moment: Moment;
  readonly minutes: MomentMinutes;
  readonly changes: readonly MomentChange[];
};

/** Keeps what the console showed every five minutes, for a week, so that all portals can show it again. */
export type MomentKeeper = {
  /** The term of this portal if it keeps the moments. Undefined if another portal does. */
  readonly lead: Database['lead'];
  /** Keeps a moment. If there is one of this time already, that one stays. Rejects if another portal leads by now. */
  readonly keep: (moment: NewMoment, term: number) => Promise<void>;
  /** When the last moment before this time was; undefined if none is kept. */
  readonly findLast: (before: number) => Promise<number | undefined>;
  readonly list: () => Promise<readonly ListedMoment[]>;
  /** Undefined if none of this time is kept. */
  readonly read: (at: number) => Promise<Moment | undefined>;
  /** What was counted in the minutes before a moment: those of the last hour of all lines, or of the last day of one. */
  readonly readHour: (at: number) => Promise<readonly MomentMinutes[]>;
  readonly readDay: (at: number, lineId: string) => Promise<LineDay>;
  /** Removes what is too old or too much, and what a clock that was ahead has left. */
  readonly prune: () => Promise<void>;
};

export type ListedMoment = { readonly at: number; readonly changes: readonly MomentChange[] };

/** The last day of a line, and how many visitors the site had then, oldest first. */
export type LineDay = {
  readonly site: MomentMinutes['site'];
  readonly line: readonly Minute[];
};

export type KeepMomentsOptions = {
  readonly database: Pick<Database, 'read' | 'change' | 'transaction' | 'lead'>;
  readonly steps: StepWatch;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
  readonly maxBytes?: number;
};

/** All moments together. A site with 200 lines and 50 networks needs nearly as much for a week; a larger one keeps less of it. */
const MAX_BYTES = 100_000_000;
/** Somebody who drags through a day asks for the same ones again. */
const REMEMBERED_MOMENTS = 4;
const REMEMBERED_HOURS = 2;
const REMEMBERED_DAYS = 2;
/** Many at once, but no answer of the database is large. */
const ROWS_PER_READ = 48;

type MinutesQuestion = {
  readonly from: number;
  readonly to: number;
  readonly recent: Recent<MomentMinutes>;
  readonly lineId?: string;
};

export function keepMoments({
  database,
  steps,
  log,
  now,
  maxBytes = MAX_BYTES,
}: KeepMomentsOptions): MomentKeeper {
  const runSteps = <T>(work: Steps<T>): Promise<T> => steps.runSteps('moments', work);
  return {
    ...readMoments({ database, runSteps, log }),
    lead: database.lead,
    keep: async ({ at, moment, minutes, changes }, term) => {
      const answers = await packMoment(moment, runSteps);
      const counted = await packMinutes(minutes, runSteps);
      const text = JSON.stringify(changes);
      const size = answers.length + counted.length + text.length;
      await database.transaction(async (tx) => {
        await requireTerm(tx, term);
        await tx.change(
          `insert into moments (brand, at, size, changes, minutes, answers) values ($brand, $1, $2, $3, $4, $5)
           on conflict (brand, at) do nothing`,
          [at, size, text, counted, answers],
        );
      });
    },
    findLast: async (before) => {
      const [row] = await database.read<{ at: number | null }>(
        'select max(at) as at from moments where brand = $brand and at < $1',
        [before],
      );
      return row?.at ?? undefined;
    },
    list: async () => {
      const rows = await database.read<Row & { readonly at: number; readonly changes: string }>(
        'select at, changes from moments where brand = $brand and at > $1 order by at',
        [now() - MOMENTS_KEPT_MS],
      );
      // As `keep` wrote it.
      return rows.map(({ at, changes }) => ({ at, changes: JSON.parse(changes) as MomentChange[] }));
    },
    prune,
  };

  async function prune(): Promise<void> {
    const rows = await database.read<Row & { readonly at: number; readonly size: number }>(
      'select at, size from moments where brand = $brand order by at desc',
    );
    let bytes = 0;
    const tooMuch = rows.find(({ size }) => (bytes += size) > maxBytes);
    // Those of a clock that was ahead would stand in the place of what happens then.
    await database.change('delete from moments where brand = $brand and (at <= $1 or at > $2)', [
      Math.max(now() - MOMENTS_KEPT_MS, tooMuch?.at ?? 0),
      now(),
    ]);
  }
}

type MomentReaderDeps = Pick<KeepMomentsOptions, 'database' | 'log'> & {
  readonly runSteps: <T>(work: Steps<T>) => Promise<T>;
};

/** Reads moments that were kept, and remembers those that were asked for last. */
function readMoments({
  database,
  runSteps,
  log,
}: MomentReaderDeps): Pick<MomentKeeper, 'read' | 'readHour' | 'readDay'> {
  const moments = createRecent<Moment | undefined>(REMEMBERED_MOMENTS);
  const hour = createRecent<MomentMinutes>((REMEMBERED_HOURS * HOUR_MS) / MOMENT_EVERY_MS);
  // All lines of a day would take 30 MB, so only the line that was asked for last is remembered.
  let day = { lineId: '', minutes: createRecent<MomentMinutes>(0) };

  return {
    read,
    readHour: (at) => readMinutes({ from: at - HOUR_MS, to: at, recent: hour }),
    readDay: async (at, lineId) => {
      if (day.lineId !== lineId)
        day = { lineId, minutes: createRecent((REMEMBERED_DAYS * DAY_MS) / MOMENT_EVERY_MS) };
      const parts = await readMinutes({ from: at - DAY_MS, to: at, recent: day.minutes, lineId });
      return {
        site: parts.flatMap(({ site }) => site),
        line: parts.flatMap(({ lines }) => lines.get(lineId) ?? []),
      };
    },
  };

  async function read(at: number): Promise<Moment | undefined> {
    const known = moments.get(at);
    if (known !== undefined) return known;
    const [row] = await database.read<Row & { readonly answers: Uint8Array }>(
      'select answers from moments where brand = $brand and at = $1',
      [at],
    );
    const moment = row && (await attempt(() => unpackMoment(row.answers, runSteps)));
    if (moment !== undefined) moments.set(at, moment);
    return moment;
  }

  /** Those of the moments after `from`, up to `to`: of all lines, or of one. */
  async function readMinutes({
    from,
    to,
    recent,
    lineId,
  }: MinutesQuestion): Promise<readonly MomentMinutes[]> {
    const wanted: number[] = [];
    for (let at = from + MOMENT_EVERY_MS; at <= to; at += MOMENT_EVERY_MS) wanted.push(at);
    // What others ask for meanwhile may push these out of what is remembered.
    const found = new Map(wanted.map((at) => [at, recent.get(at)]));
    const missing = wanted.filter((at) => found.get(at) === undefined);
    for (let first = 0; first < missing.length; first += ROWS_PER_READ) {
      const part = missing.slice(first, first + ROWS_PER_READ);
      const rows = await database.read<Row & { readonly at: number; readonly minutes: Uint8Array }>(
        `select at, minutes from moments where brand = $brand and at in (${listPlaces(part)})`,
        part,
      );
      for (const { at, minutes } of rows) {
        const unpacked = await attempt(() => unpackMinutes(minutes, runSteps, lineId));
        found.set(at, unpacked);
        if (unpacked !== undefined) recent.set(at, unpacked);
      }
    }
    return [...found.values()].filter((minutes) => minutes !== undefined);
  }

  /** A portal of another release may have written it in another form: then there is none. */
  async function attempt<T>(job: () => Promise<T>): Promise<T | undefined> {
    try {
      return await job();
    } catch (error) {
      log.warn({ err: error }, 'a moment of the console cannot be read, and is left out');
      return undefined;
    }
  }
}

type Recent<T> = {
  readonly get: (at: number) => T | undefined;
  readonly set: (at: number, value: T) => void;
};

/** Remembers the last ones that were asked for. */
function createRecent<T>(most: number): Recent<T> {
  const known = new Map<number, T>();
  return {
    get: (key) => {
      const found = known.get(key);
      if (found === undefined) return undefined;
      putLast(known, key, found);
      return found;
    },
    set: (key, value) => {
      known.set(key, value);
      forgetOldest(known, most);
    },
  };
}
