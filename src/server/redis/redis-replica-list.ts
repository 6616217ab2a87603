import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { MAX_LINES } from '../../contract/limits.ts';
import type { Redis } from './open-redis.ts';
import type { Replica, ReplicaList, ReplicaReport } from './replica-list.ts';

export type RedisReplicaListOptions = {
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  readonly describeSelf: () => ReplicaReport;
  readonly now: () => number;
  /** A replica that has been silent for this long is gone. */
  readonly goneAfterMs?: number;
  /** A replica that has been silent for this long is forgotten. */
  readonly forgetAfterMs?: number;
};

const GONE_AFTER_MS = 10_000;
const FORGET_AFTER_MS = 3_600_000;
const lineIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(16))), v.maxLength(MAX_LINES));
const reportSchema = v.object({
  name: v.string(),
  startedAt: v.number(),
  siteVersion: v.number(),
  siteHash: v.string(),
  isStoreUp: v.boolean(),
  // Replicas of an older version say nothing of the lines.
  lines: v.optional(v.nullable(v.object({ isCutOff: v.boolean(), down: lineIds, dead: lineIds })), null),
  keepsRecordings: v.optional(v.boolean(), false),
});

/**
 * Replicas find each other in Redis: each writes a note that expires, and writes it again every second. The time that a note
 * has left says how old it is, so only the clock of Redis decides who is gone.
 */
export function createRedisReplicaList(options: RedisReplicaListOptions): ReplicaList {
  const { redis, prefix, describeSelf, now } = options;
  const { goneAfterMs = GONE_AFTER_MS, forgetAfterMs = FORGET_AFTER_MS } = options;
  const id = randomUUID();
  const listKey = `${prefix}:replicas`;
  const keyOf = (replica: string): string => `${prefix}:replica:${replica}`;
  let others: readonly Replica[] = [];
  // Computed once for each replica, because computing it again would move it by some ms each time.
  const goneSince = new Map<string, number>();

  return {
    kind: 'redis',
    replicas: () => [{ ...describeSelf(), isThis: true, goneSince: undefined }, ...others],
    exchangeNotes: async () => {
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
        .set(keyOf(id), note, { expiration: { type: 'PX', value: forgetAfterMs } })
        .sAdd(listKey, id)
        .exec(),
    );
  }

  async function readOthers(): Promise<readonly Replica[]> {
    const ids = (await redis.ask((client) => client.sMembers(listKey))).filter((member) => member !== id);
    if (ids.length === 0) return [];
    const keys = ids.map(keyOf);
    const [notes, ...lefts] = await redis.ask((client) =>
      Promise.all([client.mGet(keys), ...keys.map((key) => client.pTTL(key))]),
    );
    const forgotten = ids.filter((_, index) => notes[index] === null);
    if (forgotten.length > 0) await redis.ask((client) => client.sRem(listKey, forgotten));
    for (const member of forgotten) goneSince.delete(member);
    return ids
      .flatMap((member, index) => {
        const note = notes[index];
        const report = typeof note === 'string' ? parseReport(note) : undefined;
        if (report === undefined) return [];
        const ageMs = forgetAfterMs - (lefts[index] ?? forgetAfterMs);
        return [{ ...report, isThis: false, goneSince: noteAge(member, ageMs) }];
      })
      .toSorted(
        (a, b) =>
          Number(a.goneSince !== undefined) - Number(b.goneSince !== undefined) || a.startedAt - b.startedAt,
      );
  }

  function noteAge(member: string, ageMs: number): number | undefined {
    if (ageMs < goneAfterMs) goneSince.delete(member);
    else if (!goneSince.has(member)) goneSince.set(member, now() - ageMs);
    return goneSince.get(member);
  }
}

/** Undefined for a note in another form, from another version or another program. Other notes are still read. */
function parseReport(note: string): ReplicaReport | undefined {
  try {
    return v.parse(reportSchema, JSON.parse(note));
  } catch {
    return undefined;
  }
}
