import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { DAY_MS } from '../../contract/limits.ts';
import type { AuditEntry } from '../../contract/people.ts';
import { readCode } from '../process/read-code.ts';
import { readDataFile } from '../process/read-data-file.ts';
import { replaceFile } from '../process/replace-file.ts';
import type { Redis } from '../redis/open-redis.ts';
import type { AuditFiles } from './audit-files.ts';
import { AUDIT_LIFE_MS } from './audit-log.ts';

export type ShareAuditOptions = {
  readonly files: AuditFiles;
  readonly redis: Redis;
  /** What all keys start with. */
  readonly prefix: string;
  readonly dataDir: string;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
};

/** Which portal this is, among those that share an audit log. What happened here before `since` is not shared. */
type Identity = v.InferOutput<typeof identitySchema>;

const FILE = 'portal.json';
const ID = /^[\da-f]{16}$/;
const identitySchema = v.strictObject({ id: v.pipe(v.string(), v.regex(ID)), since: v.number() });
const text = v.pipe(v.string(), v.maxLength(1_000));
const messageSchema = v.object({
  portal: v.pipe(v.string(), v.regex(ID)),
  entry: v.pipe(
    v.string(),
    v.maxLength(10_000),
    v.parseJson(),
    v.object({
      at: v.pipe(v.number(), v.integer()),
      by: text,
      // A portal of a later version may know more actions.
      action: text,
      to: v.optional(text),
      detail: v.optional(text),
      prefix: v.optional(text),
      isUncertain: v.optional(v.boolean()),
    }),
  ),
});

/** A portal that was away for longer than it takes to fill this misses entries. They stay on the other portals. */
const MAX_ENTRIES = 10_000;
const KEEP_MS = 30 * DAY_MS;
/** How many entries are sent again if Redis has forgotten which ones it had. */
const MAX_SENT = 1_000;
const BATCH = 100;
const MAX_BATCHES = 10;
const MAX_PORTALS = 50;

/**
 * Lets portals tell each other what happened on them. Each writes what the others tell into files of its own. Returns what
 * is to be repeated about once a second; it never fails.
 */
export function shareAudit(options: ShareAuditOptions): () => Promise<void> {
  const { files, redis, prefix, dataDir, now, log } = options;
  const [streamKey, sentKey] = [`${prefix}:audit`, `${prefix}:audit:sent`];
  const openedAt = now();
  let identity: Identity | undefined;
  /** The time of the newest entry that is kept of each portal. A portal tells its entries in the order of time. */
  const newest = new Map<string, number>();
  let lastId = '0-0';
  let hasFailed = false;
  return async () => {
    try {
      // If the disk cannot be read for now, the next time tries again: a new identity would tell everything once more.
      identity ??= await readIdentity(dataDir, openedAt, log);
      await tell(identity);
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) if ((await listen(identity)) < BATCH) break;
      hasFailed = false;
    } catch (error) {
      // Once, and not each second. That Redis is away is in the log already.
      if (!hasFailed && redis.isReady()) log.error({ err: error }, 'the audit log is not shared');
      hasFailed = true;
    }
  };

  /** Sends what Redis does not have yet. Redis itself keeps how far this portal has come. */
  async function tell({ id, since }: Identity): Promise<void> {
    const sent = await redis.ask((client) => client.hGet(sentKey, id));
    // Redis was restarted empty: what it numbers from now on may be less than what was read last.
    if (sent === null) lastId = '0-0';
    const entries = await readOwnAfter(Math.max(Number(sent) || 0, since - 1));
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      await redis.ask((client) => {
        const all = client.multi();
        const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: MAX_ENTRIES } as const;
        for (const entry of batch) {
          all.xAdd(streamKey, '*', { portal: id, entry: JSON.stringify(entry) }, { TRIM });
        }
        all.hSet(sentKey, id, String(batch.at(-1)?.at ?? 0));
        all.pExpire(streamKey, KEEP_MS).pExpire(sentKey, KEEP_MS);
        return all.exec();
      });
    }
  }

  async function readOwnAfter(time: number): Promise<readonly AuditEntry[]> {
    const entries: AuditEntry[] = [];
    for await (const entry of files.readBackward({ own: true })) {
      if (entry.at <= time || entries.length >= MAX_SENT) break;
      entries.unshift(entry);
    }
    return entries;
  }

  /** Keeps what the others have told since. Returns how many messages there were. */
  async function listen(identity: Identity): Promise<number> {
    const answer = await redis.ask((client) => client.xRange(streamKey, `(${lastId}`, '+', { COUNT: BATCH }));
    const messages = answer ?? [];
    const found = new Map<string, AuditEntry[]>();
    for (const { message } of messages) {
      const { success, output } = v.safeParse(messageSchema, message);
      if (!success || output.portal === identity.id || !isPlausible(output.entry.at)) continue;
      const { portal } = output;
      const entries = found.get(portal) ?? [];
      const after = entries.at(-1)?.at ?? newest.get(portal) ?? (await findNewest(portal));
      // It was told twice, because this portal or Redis was restarted.
      if (output.entry.at <= after) continue;
      // Any action: see the schema.
      found.set(portal, [...entries, output.entry as AuditEntry]);
    }
    for (const [portal, entries] of found) {
      await files.append(await leaveOutOwn(entries, identity), portal);
      newest.set(portal, entries.at(-1)?.at ?? 0);
    }
    lastId = messages.at(-1)?.id ?? lastId;
    return messages.length;
  }

  /** Leaves out what is in the own file: where a backup was restored, this portal had told it under another identity. */
  async function leaveOutOwn(
    entries: readonly AuditEntry[],
    { since }: Identity,
  ): Promise<readonly AuditEntry[]> {
    const oldest = entries[0]?.at ?? since;
    if (oldest >= since) return entries;
    const own = new Set<string>();
    for await (const entry of files.readBackward({ own: true })) {
      if (entry.at < oldest) break;
      own.add(keyOf(entry));
    }
    return entries.filter((entry) => !own.has(keyOf(entry)));
  }

  /** Others can write to Redis. What is too old would be removed at once, and what is to come would never be. */
  function isPlausible(at: number): boolean {
    return at > now() - AUDIT_LIFE_MS && at < now() + DAY_MS;
  }

  async function findNewest(portal: string): Promise<number> {
    const known = new Set([...(await files.listPortals()), ...newest.keys()]);
    if (!known.has(portal) && known.size >= MAX_PORTALS) return Number.POSITIVE_INFINITY;
    newest.set(portal, 0);
    for await (const { at } of files.readBackward({ id: portal })) {
      newest.set(portal, at);
      return at;
    }
    return 0;
  }
}

function keyOf({ at, by, action, to }: AuditEntry): string {
  return JSON.stringify([at, by, action, to]);
}

/** Rejects if the disk cannot be read for now. A new portal, and one whose file is damaged, gets a new identity. */
async function readIdentity(
  dataDir: string,
  since: number,
  log: ShareAuditOptions['log'],
): Promise<Identity> {
  const path = join(dataDir, FILE);
  const written = await readDataFile(path).catch((error: unknown) => {
    if (readCode(error) !== 'ENOENT') throw error;
  });
  try {
    if (written !== undefined) return v.parse(identitySchema, JSON.parse(written));
  } catch (error) {
    log.warn({ err: error, path }, 'the identity of this portal is damaged: it gets a new one');
  }
  const identity = { id: randomBytes(8).toString('hex'), since };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await replaceFile(path, Buffer.from(`${JSON.stringify(identity)}\n`)).catch((error: unknown) =>
    log.warn(
      { err: error },
      `${FILE} cannot be kept in the data folder: at the next start this is a new portal`,
    ),
  );
  return identity;
}
