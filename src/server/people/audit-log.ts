import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { DAY_MS, MINUTE_MS } from '../../contract/limits.ts';
import type { AuditAction, AuditEntry } from '../../contract/people.ts';
import type { AuditFiles } from './audit-files.ts';

export type AuditLog = {
  /** Notes what somebody did. It never waits: the disk follows. */
  readonly write: (entry: Omit<AuditEntry, 'at'>) => void;
  /** The newest entries before a time, of one person or of all. */
  readonly read: (question: AuditQuestion) => Promise<readonly AuditEntry[]>;
  /** Everything, oldest first, one JSON object on each line. */
  readonly openLines: () => Promise<Readable>;
  /** Removes months that are older than a year. */
  readonly removeOld: () => Promise<void>;
  /** Resolves when everything is on the disk, or could not be written. */
  readonly flush: () => Promise<void>;
};

export type AuditQuestion = {
  readonly person?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};

export type AuditOptions = {
  readonly files: AuditFiles;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
};

/** What is older is removed. */
export const AUDIT_LIFE_MS = 365 * DAY_MS;
/** Entries that wait for the disk. */
const MAX_WAITING = 1_000;
/** Strangers can cause these, so only some of them are kept: an attack must not fill the disk. */
const STRANGERS_ACTIONS: ReadonlySet<AuditAction> = new Set(['sign-in-failed', 'sign-in-limited']);
const MAX_STRANGERS_ENTRIES = 20;

/** Keeps who did what. */
export function openAuditLog({ files, now, log }: AuditOptions): AuditLog {
  let waiting: AuditEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  let lastAt = 0;
  let minute = { number: 0, count: 0, dropped: 0 };

  return {
    write: ({ by, action, to, detail, prefix, isUncertain }) => {
      // Only these: a caller may hand over an object that knows more, such as an address.
      const entry = { by, action, to, detail, prefix, isUncertain };
      if (STRANGERS_ACTIONS.has(entry.action) && !isWithinMinute()) return;
      // Each entry has its own time, so that a reader can go on after the last one that it has.
      const at = now();
      const isSetBack = lastAt - at > MINUTE_MS;
      lastAt = isSetBack ? at : Math.max(at, lastAt + 1);
      if (waiting.length >= MAX_WAITING)
        return log.error({ entry }, 'audit entry lost: the disk does not keep up');
      waiting.push({ at: lastAt, ...entry });
      if (!isWriting) writing = writeWaiting();
    },
    read: async ({ person, before = Number.POSITIVE_INFINITY, limit }) => {
      const found: AuditEntry[] = [];
      for await (const entry of files.readBackward()) {
        if (entry.at >= before) continue;
        if (person !== undefined && entry.by !== person && entry.to !== person) continue;
        found.push(entry);
        if (found.length >= limit) return found;
      }
      return found;
    },
    openLines: async () => Readable.from(files.readForward()),
    removeOld: () => files.removeBefore(now() - AUDIT_LIFE_MS),
    flush: () => writing,
  };

  function isWithinMinute(): boolean {
    const number = Math.floor(now() / MINUTE_MS);
    if (number !== minute.number) {
      if (minute.dropped > 0)
        log.warn({ count: minute.dropped }, 'failed sign-ins that are not in the audit log');
      minute = { number, count: 0, dropped: 0 };
    }
    minute.count += 1;
    if (minute.count <= MAX_STRANGERS_ENTRIES) return true;
    minute.dropped += 1;
    return false;
  }

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) {
        const entries = waiting;
        waiting = [];
        await append(entries);
      }
    } finally {
      isWriting = false;
    }
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    try {
      await files.append(entries);
    } catch (error) {
      // The log of the process is the second place to look for them.
      log.error({ err: error, entries }, 'audit entries could not be written');
    }
  }
}
