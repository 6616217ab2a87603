import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { DAY_MS, MINUTE_MS } from '../../contract/time-units.ts';
import type { AuditAction, AuditEntry } from '../../contract/people.ts';
import { followState } from '../process/follow-state.ts';
import type { Database, Row, Value } from '../store/database.ts';
import { shareRun } from '../process/share-run.ts';

export type AuditLog = {
  /** Notes what somebody did. It never waits: the database follows. */
  readonly write: (entry: Omit<AuditEntry, 'at' | 'id'>) => void;
  /** The newest entries before another one, of one person or of all. */
  readonly read: (question: AuditQuestion) => Promise<readonly AuditEntry[]>;
  /** Everything, oldest first, one JSON object on each line. */
  readonly readLines: () => AsyncGenerator<Buffer>;
  /** Removes what is older than a year. */
  readonly removeOld: () => Promise<void>;
  /** Writes the entries that wait, because the database was away. Rejects if it still is. */
  readonly writeWaiting: () => Promise<void>;
  /** Writes the entries that wait, for the last time: those that cannot be written are in the log of the process. */
  readonly flush: () => Promise<void>;
};

export type AuditQuestion = {
  readonly person?: string | undefined;
  readonly before?: AuditPlace | undefined;
  readonly limit: number;
};

/** Several portals may note something in the same millisecond. */
export type AuditPlace = Pick<AuditEntry, 'at' | 'id'>;

export type AuditOptions = {
  readonly database: Pick<Database, 'read' | 'change' | 'transaction'>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
};

type AuditRow = Row & {
  readonly at: number;
  readonly id: string;
  readonly done_by: string;
  readonly action: AuditAction;
  readonly done_to: string | null;
  readonly detail: string | null;
  readonly prefix: string | null;
  readonly is_uncertain: number;
};

const LIFE_MS = 365 * DAY_MS;
/** Entries that wait for the database. */
const MAX_WAITING = 1_000;
const BATCH = 20;
const PAGE = 1_000;
const INSERT = `insert into audit (brand, at, id, done_by, action, done_to, detail, prefix, is_uncertain)
  values ($brand, $1, $2, $3, $4, $5, $6, $7, $8) on conflict (brand, at, id) do nothing`;
/** Strangers can cause these, so only some of them are kept: an attack must not fill the disk. */
const STRANGERS_ACTIONS: ReadonlySet<AuditAction> = new Set(['sign-in-failed', 'sign-in-limited']);
const MAX_STRANGERS_ENTRIES = 20;

/** Keeps who did what. */
export function openAuditLog({ database, now, log }: AuditOptions): AuditLog {
  const waiting: AuditEntry[] = [];
  /** One run at a time: an entry leaves the list when it is in the database. */
  const writeWaiting = shareRun(writeBatches);
  const { pass, fail } = followState({
    now,
    onFail: (error) => log.error({ err: error }, 'audit entries wait until they can be written'),
  });
  let written = 0;
  const limitStrangers = createStrangersLimit({ now, log });

  return {
    write: ({ by, action, to, detail, prefix, isUncertain }) => {
      // Copies only these fields: the caller's object may have more, such as an address.
      const entry = { by, action, to, detail, prefix, isUncertain };
      if (STRANGERS_ACTIONS.has(entry.action) && !limitStrangers()) return;
      if (waiting.length >= MAX_WAITING) {
        return log.error({ entry }, 'audit entry lost: the database is away, and too many entries wait');
      }
      waiting.push({ at: now(), id: createId(), ...entry });
      writeWaiting().catch(fail);
    },
    read: async ({ person, before, limit }) => {
      const place = before ?? { at: Number.MAX_SAFE_INTEGER, id: '' };
      const rows = await database.read<AuditRow>(
        `select * from audit
         where brand = $brand and (at, id) < ($1, $2) ${person === undefined ? '' : 'and (done_by = $4 or done_to = $4)'}
         order by at desc, id desc limit $3`,
        [place.at, place.id, limit, ...(person === undefined ? [] : [person])],
      );
      return rows.map(readRow);
    },
    readLines: () => readLines(database),
    removeOld: async () => {
      await database.change('delete from audit where brand = $brand and at < $1', [now() - LIFE_MS]);
    },
    writeWaiting,
    flush: async () => {
      try {
        await writeWaiting();
      } catch (error) {
        log.error({ err: error, entries: waiting }, 'audit entries could not be written');
      }
    },
  };

  /** Ids grow, so that entries of the same millisecond stay in their order. The random part tells portals apart. */
  function createId(): string {
    written += 1;
    return written.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
  }

  async function writeBatches(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      await insert(batch);
      waiting.splice(0, batch.length);
      pass();
    }
  }

  /** An entry whose answer was lost is sent again. It has an id of its own, so that it is there once. */
  async function insert(entries: readonly AuditEntry[]): Promise<void> {
    await database.transaction(async ({ change }) => {
      for (const entry of entries) await change(INSERT, writeRow(entry));
    });
  }
}

/** Says whether one more entry that a stranger caused is kept in this minute. */
function createStrangersLimit({ now, log }: Pick<AuditOptions, 'now' | 'log'>): () => boolean {
  let minute = { number: 0, count: 0, dropped: 0 };
  return () => {
    const number = Math.floor(now() / MINUTE_MS);
    if (number !== minute.number) {
      if (minute.dropped > 0)
        log.warn({ count: minute.dropped }, 'failed sign-ins were left out of the audit log');
      minute = { number, count: 0, dropped: 0 };
    }
    minute.count += 1;
    if (minute.count <= MAX_STRANGERS_ENTRIES) return true;
    minute.dropped += 1;
    return false;
  };
}

/** All entries, oldest first, each as a line of JSON. */
async function* readLines({ read }: Pick<Database, 'read'>): AsyncGenerator<Buffer> {
  let last: AuditPlace = { at: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const rows = await read<AuditRow>(
      'select * from audit where brand = $brand and (at, id) > ($1, $2) order by at, id limit $3',
      [last.at, last.id, PAGE],
    );
    for (const row of rows) yield Buffer.from(`${JSON.stringify(readRow(row))}\n`);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = end;
  }
}

function writeRow({ at, id, by, action, to, detail, prefix, isUncertain }: AuditEntry): readonly Value[] {
  return [at, id, by, action, to ?? null, detail ?? null, prefix ?? null, isUncertain ? 1 : 0];
}

function readRow(row: AuditRow): AuditEntry {
  return {
    at: row.at,
    id: row.id,
    by: row.done_by,
    action: row.action,
    to: row.done_to ?? undefined,
    detail: row.detail ?? undefined,
    prefix: row.prefix ?? undefined,
    isUncertain: row.is_uncertain === 1 || undefined,
  };
}
