import { randomUUID } from 'node:crypto';
import type { Redis } from '../../redis/open-redis.ts';
import { ADD_COUNTS_SCRIPT } from './add-counts-script.ts';
import { createCountBuffer } from './count-buffer.ts';
import { type Counts, WINDOW_MS, isEmpty } from '../counts.ts';
import type { ClosedWindow, MeasurementStore } from './measurement-store.ts';
import { type PackedCounts, packCounts, unpackCounts } from './redis-counts.ts';

export type RedisStoreOptions = {
  readonly redis: Redis;
  /** What all keys start with. It holds a hash tag, so that a cluster keeps them together. */
  readonly prefix: string;
  /** Told of each count that was dropped because Redis has been away for too long. */
  readonly onLoss: () => void;
  readonly windowMs?: number;
  readonly maxBufferedCells?: number;
};

/** Three minutes of windows. */
const KEPT_WINDOWS = 18;
const REPLICA_MS = 3_600_000;
const SNAPSHOT_WINDOWS = 6;
/** The fields of the key of the snapshot. */
const SNAPSHOT = { folds: 'folds', bytes: 'bytes' } as const;
/** Some 20 MB; at 100,000 visitors an hour it holds an hour of counts. */
const MAX_BUFFERED_CELLS = 200_000;
/** A script runs alone, so one batch is kept to some milliseconds. */
const MAX_BATCH_CELLS = 5_000;

type Batch = { readonly number: number; readonly counts: PackedCounts };

/** Counts in Redis, where any number of replicas count together and each reads the same windows. */
export function createRedisStore(options: RedisStoreOptions): MeasurementStore {
  const { redis, prefix, onLoss, windowMs = WINDOW_MS, maxBufferedCells = MAX_BUFFERED_CELLS } = options;
  const replica = randomUUID();
  const snapshotKey = `${prefix}:snapshot`;
  const buffer = createCountBuffer(maxBufferedCells, onLoss);
  let batches = 0;
  let acknowledged = 0;
  // The batch that was sent, and has no answer yet. It is sent again unchanged; Redis recognizes it by its number.
  let unanswered: Batch | undefined;
  // Counts in windows that no replica has read yet. If Redis loses its data, they are sent again.
  let unread: (Batch & { readonly windowNumber: number })[] = [];

  return {
    windowMs,
    snapshotEveryMs: SNAPSHOT_WINDOWS * windowMs,
    add: (counts) => packCounts(counts, buffer.add),
    readSince: async (given) => {
      const open = await flush();
      // A wrong clock may have left a window number from the future. Waiting for it would mean to learn nothing until then.
      // A number that is ahead by less than the time that windows are kept is believed, or counts would be read twice.
      const windowNumber = given > open + KEPT_WINDOWS ? open - 1 : given;
      const oldestKept = open - KEPT_WINDOWS + 1;
      const windows: ClosedWindow[] = [];
      for (let number = Math.max(windowNumber + 1, oldestKept); number < open; number += 1) {
        const counts = await readWindow(number);
        if (!isEmpty(counts)) windows.push({ number, counts });
      }
      unread = unread.filter((batch) => batch.windowNumber >= open);
      return {
        windows,
        lastNumber: Math.max(windowNumber, open - 1),
        isComplete: windowNumber + 1 >= oldestKept,
      };
    },
    loadSnapshot: async () => {
      const stored = await redis.ask((client) => client.hGet(snapshotKey, SNAPSHOT.bytes));
      return stored === null ? undefined : Buffer.from(stored, 'base64');
    },
    // Redis keeps the snapshot of the replica that knows most.
    saveSnapshot: ({ folds, bytes, isForced = false }) =>
      redis.ask(async (client) => {
        const kept = Number(await client.hGet(snapshotKey, SNAPSHOT.folds));
        if (kept >= folds && !isForced) return kept;
        await client.hSet(snapshotKey, {
          [SNAPSHOT.folds]: folds,
          [SNAPSHOT.bytes]: bytes.toString('base64'),
        });
        return folds;
      }),
    close: async () => {
      await flush().catch(() => undefined); // If Redis is away, the last counts are lost.
      return undefined;
    },
  };

  /** Sends what was counted since the last time. Resolves with the number of the window that is open. */
  async function flush(): Promise<number> {
    let open: number;
    do {
      unanswered ??= takeBatch();
      const { windowNumber, lastBatch } = await sendBatch(unanswered);
      // Redis has forgotten batches that it had acknowledged: it was restarted without its data.
      if (lastBatch < acknowledged) countAnew(lastBatch);
      open = windowNumber;
      acknowledged = unanswered.number;
      if (unanswered.counts.size > 0) unread.push({ ...unanswered, windowNumber });
      unanswered = undefined;
    } while (buffer.cells() > 0);
    return open;
  }

  function takeBatch(): Batch {
    const counts = buffer.take(MAX_BATCH_CELLS);
    if (counts.size > 0) batches += 1;
    return { number: batches, counts };
  }

  async function sendBatch({
    number,
    counts,
  }: Batch): Promise<{ readonly windowNumber: number; readonly lastBatch: number }> {
    const values: (string | number)[] = [replica, number, windowMs, KEPT_WINDOWS * windowMs, REPLICA_MS];
    for (const [row, fields] of counts) {
      values.push(row, fields.size);
      for (const [field, amount] of fields) values.push(field, amount);
    }
    const reply = await redis.ask((client) =>
      client.eval(ADD_COUNTS_SCRIPT, { keys: [prefix], arguments: values.map(String) }),
    );
    const [windowNumber = Number.NaN, lastBatch = Number.NaN] = Array.isArray(reply) ? reply.map(Number) : [];
    if (!Number.isSafeInteger(windowNumber) || !Number.isSafeInteger(lastBatch))
      throw new TypeError('the script answered in an unknown form');
    return { windowNumber, lastBatch };
  }

  function countAnew(lastBatch: number): void {
    const forgotten = unread.filter(({ number }) => number > lastBatch);
    unread = unread.filter(({ number }) => number <= lastBatch);
    for (const { counts } of forgotten) {
      for (const [row, fields] of counts) {
        for (const [field, amount] of fields) buffer.add(row, field, amount);
      }
    }
  }

  async function readWindow(number: number): Promise<Counts> {
    const key = `${prefix}:window:${number}`;
    return redis.ask(async (client) => {
      const rows = await client.sMembers(key);
      const fields = await Promise.all(rows.map((row) => client.hGetAll(`${key}:${row}`)));
      return unpackCounts(new Map(rows.map((row, index) => [row, parseFields(fields[index] ?? {})])));
    });
  }
}

/** Takes only numbers that are possible counts, because other programs may write to Redis, too. */
function parseFields(fields: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  const counted = Object.entries(fields).map(([field, amount]) => [field, Number(amount)] as const);
  return new Map(counted.filter(([, amount]) => Number.isSafeInteger(amount) && amount >= 0));
}
