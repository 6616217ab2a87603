import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Redis } from '../redis/open-redis.ts';
import type { Replica, ReplicaBoard, ReplicaReport } from './replica-board.ts';

export type RedisBoardOptions = {
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  readonly describeSelf: () => ReplicaReport;
  /** A replica that was not heard of for this long is gone. */
  readonly goneAfterMs?: number;
};

const GONE_AFTER_MS = 10_000;
const reportSchema = v.object({
  name: v.string(),
  startedAt: v.number(),
  siteVersion: v.number(),
  isStoreUp: v.boolean(),
});

/** Replicas meet in Redis: each leaves a note that expires, so that no clock but that of Redis tells who is gone. */
export function createRedisBoard(options: RedisBoardOptions): ReplicaBoard {
  const { redis, prefix, describeSelf, goneAfterMs = GONE_AFTER_MS } = options;
  const id = randomUUID();
  const listKey = `${prefix}:replicas`;
  const keyOf = (replica: string): string => `${prefix}:replica:${replica}`;
  let others: readonly Replica[] = [];

  return {
    kind: 'redis',
    replicas: () => [{ ...describeSelf(), isThis: true }, ...others],
    look: async () => {
      try {
        await leaveNote();
        others = await readOthers();
      } catch {
        others = []; // Redis is away, and what it knew of the others is no longer true.
      }
    },
    close: async () => {
      // Where Redis is away, the note expires by itself.
      await redis.ask((client) => client.del(keyOf(id))).catch(() => undefined);
    },
  };

  async function leaveNote(): Promise<void> {
    const note = JSON.stringify(describeSelf());
    await redis.ask((client) =>
      client
        .multi()
        .set(keyOf(id), note, { expiration: { type: 'PX', value: goneAfterMs } })
        .sAdd(listKey, id)
        .exec(),
    );
  }

  async function readOthers(): Promise<readonly Replica[]> {
    const ids = (await redis.ask((client) => client.sMembers(listKey))).filter((member) => member !== id);
    if (ids.length === 0) return [];
    const notes = await redis.ask((client) => client.mGet(ids.map(keyOf)));
    const gone = ids.filter((_, index) => notes[index] === null);
    if (gone.length > 0) await redis.ask((client) => client.sRem(listKey, gone));
    return notes
      .flatMap((note) => (note === null ? [] : [{ ...parseReport(note), isThis: false }]))
      .toSorted((a, b) => a.startedAt - b.startedAt);
  }
}

function parseReport(note: string): ReplicaReport {
  return v.parse(reportSchema, JSON.parse(note));
}
