import { randomUUID } from 'node:crypto';
import { setImmediate as letOthersWork } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HOUR_MS } from '../../contract/time-units.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import type { Database, Query, Row } from '../store/database.ts';
import { noteBatch } from '../store/note-batch.ts';
import { type Counts, WINDOW_MS, createCounts } from './counts.ts';
import { readCounts, writeCounts } from './write-counts.ts';

/** What one portal counted. */
export type WindowPart = {
  readonly id: string;
  readonly counts: Counts;
};

/** What all portals counted in a stretch of time that is over: no part is added to it any more. */
export type SealedWindow = {
  /** Windows are numbered in the order in which they were sealed, without gaps. */
  readonly seq: number;
  /** When it ended, in ms. */
  readonly at: number;
  readonly parts: readonly WindowPart[];
};

/** The windows of all portals, in the one order in which each of them learns from them. */
export type WindowLog = {
  /** Writes a part. It counts once, however often and late it is written. Parts are numbered from 1, in the order of writing. */
  readonly write: (part: WindowPart & { readonly number: number }) => Promise<void>;
  /** Makes a window of all parts that belong to none, if it is time to. Returns true if there is no such part any more. */
  readonly seal: () => Promise<boolean>;
  /** The windows after the given one, at most 30. Parts whose counts are known are not read again, which takes time. */
  readonly readSince: (
    seq: number,
    findKnown: (id: string) => Counts | undefined,
  ) => Promise<readonly SealedWindow[]>;
};

export type WindowLogDeps = {
  readonly database: Pick<Database, 'isShared' | 'read' | 'change' | 'transaction'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

export const WINDOWS_TOPIC = 'windows';
export const WINDOWS_PER_READ = 30;
/** After the end of a window, other portals get this long to write their parts. */
const GRACE_MS = 2_000;
/** By how much the clock of the database may be ahead of this machine's. */
const MAX_AHEAD_MS = HOUR_MS;

export function openWindowLog({ database, log, now }: WindowLogDeps): WindowLog {
  const graceMs = database.isShared ? GRACE_MS : 0;
  const writer = randomUUID();

  return {
    write: async ({ id, number, counts }) => {
      const text = writeCounts(counts);
      await database.transaction(async (tx) => {
        if (!(await noteBatch(tx, writer, number))) return;
        await tx.change(
          'insert into window_parts (brand, id, written_at, counts) values ($brand, $1, $now, $2)',
          [id, text],
        );
      });
    },
    seal: async () => {
      const found = await findNext(database.read);
      if (found.parts === 0 || !found.isDue) return found.parts === 0;
      return database.transaction(async ({ query, change, announce }) => {
        const { seq, at, isDue } = await findNext(query);
        // Another portal was faster. What was written since then belongs to the next window.
        if (!isDue) return false;
        const parts = await change('update window_parts set seq = $1 where brand = $brand and seq is null', [
          seq,
        ]);
        if (parts === 0) return true;
        await change('insert into windows (brand, seq, at) values ($brand, $1, $2)', [seq, at]);
        await announce(WINDOWS_TOPIC);
        return true;
      });
    },
    readSince: async (seq, findKnown) => {
      const rows = await database.read<PartRow>(
        `select windows.seq, windows.at, window_parts.id, window_parts.counts
         from windows join window_parts on window_parts.brand = windows.brand and window_parts.seq = windows.seq
         where windows.brand = $brand and windows.seq in
           (select seq from windows where brand = $brand and seq > $1 order by seq limit $2)
         order by windows.seq, window_parts.id`,
        [seq, WINDOWS_PER_READ],
      );
      return groupParts(rows, findKnown, log);
    },
  };

  /** The window that would be sealed now, and how many parts there are for it. */
  async function findNext(query: Query) {
    const [row] = await query<NextRow>(
      `select $now as now,
         (select max(seq) from windows where brand = $brand) as seq,
         (select at from windows where brand = $brand order by seq desc limit 1) as at,
         count(*) as parts, min(written_at) as written_at
       from window_parts where brand = $brand and seq is null`,
    );
    if (row === undefined) throw new Error('the database does not say what time it is');
    const at = findEnd(row.now - graceMs);
    const firstAt = findEnd(row.written_at ?? 0);
    // If the clock was set back, parts lie in the future. They are sealed at once.
    const isOver = firstAt <= at || firstAt > row.now;
    // Time far in the future comes from a wrong clock. Learning from it would make everything known look old, and so forget it.
    const saneAt = row.now > now() + MAX_AHEAD_MS ? findEnd(now() - graceMs) : at;
    return { seq: (row.seq ?? 0) + 1, at: saneAt, parts: row.parts, isDue: isOver && saneAt !== row.at };
  }
}

async function groupParts(
  rows: readonly PartRow[],
  findKnown: (id: string) => Counts | undefined,
  log: WindowLogDeps['log'],
): Promise<readonly SealedWindow[]> {
  const windows = new Map<number, { seq: number; at: number; parts: WindowPart[] }>();
  for (const { seq, at, id, counts } of rows) {
    // After a long outage there may be megabytes.
    await letOthersWork();
    const window = findOrAdd(windows, seq, () => ({ seq, at, parts: [] }));
    window.parts.push({ id, counts: findKnown(id) ?? tryRead(id, counts, log) });
  }
  return [...windows.values()];
}

/** A part that cannot be read says nothing, on every portal alike. */
function tryRead(id: string, text: string, log: WindowLogDeps['log']): Counts {
  try {
    return readCounts(text);
  } catch (error) {
    log.warn({ err: error, id }, 'the counts of a portal cannot be read, and are left out');
    return createCounts();
  }
}

/** The end of the last window that was over at this time. */
function findEnd(at: number): number {
  return Math.floor(at / WINDOW_MS) * WINDOW_MS;
}

type NextRow = Row & {
  readonly now: number;
  readonly seq: number | null;
  readonly at: number | null;
  readonly parts: number;
  readonly written_at: number | null;
};

type PartRow = Row & {
  readonly seq: number;
  readonly at: number;
  readonly id: string;
  readonly counts: string;
};
