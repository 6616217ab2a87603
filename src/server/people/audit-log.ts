import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { AuditAction, AuditEntry } from '../../contract/people.ts';
import { giveToOwner } from '../process/give-to-owner.ts';

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
  readonly dataDir: string;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
};

const KEEP_MS = 365 * 86_400_000;
const MONTH_FILE = /^(\d{4})-(\d{2})\.jsonl$/;
/** Entries that wait for the disk. */
const MAX_WAITING = 1_000;
/** Strangers can cause these, so only some of them are kept: an attack must not fill the disk. */
const STRANGERS_ACTIONS: ReadonlySet<AuditAction> = new Set(['sign-in-failed', 'sign-in-limited']);
const MAX_STRANGERS_ENTRIES = 20;
const MINUTE_MS = 60_000;
const CHUNK_BYTES = 65_536;

/** Keeps who did what, in one file a month: `audit/2026-11.jsonl` in the data folder. */
export function openAuditLog({ dataDir, now, log }: AuditOptions): AuditLog {
  const dir = join(dataDir, 'audit');
  let waiting: AuditEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  let lastAt = 0;
  let minute = { number: 0, count: 0, dropped: 0 };

  return {
    write: ({ by, action, to, detail, prefix }) => {
      // Only these: a caller may hand over an object that knows more, such as an address.
      const entry = { by, action, to, detail, prefix };
      if (STRANGERS_ACTIONS.has(entry.action) && !isWithinMinute()) return;
      // Each entry has its own time, so that a reader can go on after the last one that it has.
      lastAt = Math.max(now(), lastAt + 1);
      if (waiting.length >= MAX_WAITING)
        return log.error({ entry }, 'audit entry lost: the disk does not keep up');
      waiting.push({ at: lastAt, ...entry });
      if (!isWriting) writing = writeWaiting();
    },
    read: async ({ person, before = Number.POSITIVE_INFINITY, limit }) => {
      const found: AuditEntry[] = [];
      for (const file of (await listMonths()).toReversed()) {
        for await (const line of readLinesBackward(join(dir, file))) {
          const entry = parseEntry(line);
          if (entry === undefined || entry.at >= before) continue;
          if (person !== undefined && entry.by !== person && entry.to !== person) continue;
          found.push(entry);
          if (found.length >= limit) return found;
        }
      }
      return found;
    },
    openLines: async () => {
      const files = await listMonths();
      return Readable.from(readWhole(files.map((file) => join(dir, file))));
    },
    removeOld: async () => {
      const old = (await listMonths()).filter((file) => endOfMonth(file) <= now() - KEEP_MS);
      await Promise.all(old.map((file) => rm(join(dir, file), { force: true })));
    },
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
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await giveToOwner(dir);
      for (const [file, lines] of groupByMonth(entries)) {
        await appendFile(join(dir, file), lines, { mode: 0o600 });
        await giveToOwner(join(dir, file));
      }
    } catch (error) {
      // The log of the process is the second place to look for them.
      log.error({ err: error, entries }, 'audit entries could not be written');
    }
  }

  async function listMonths(): Promise<readonly string[]> {
    try {
      return (await readdir(dir)).filter((file) => MONTH_FILE.test(file)).toSorted();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }
}

function groupByMonth(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const entry of entries) {
    const file = `${new Date(entry.at).toISOString().slice(0, 7)}.jsonl`;
    files.set(file, `${files.get(file) ?? ''}${JSON.stringify(entry)}\n`);
  }
  return files;
}

function endOfMonth(file: string): number {
  const [, year, month] = MONTH_FILE.exec(file) ?? [];
  // Months count from 0 here, so this is the first moment of the next one.
  return Date.UTC(Number(year), Number(month));
}

function parseEntry(line: string): AuditEntry | undefined {
  try {
    return JSON.parse(line) as AuditEntry; // We wrote it.
  } catch {
    return undefined; // Cut off when the disk was full, or the machine lost power.
  }
}

async function* readWhole(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) for await (const chunk of createReadStream(file)) yield chunk as Buffer;
}

/** The lines of a file, the last one first, without reading more of it than is asked for. */
async function* readLinesBackward(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r');
  try {
    let end = (await file.stat()).size;
    let rest = Buffer.alloc(0);
    while (end > 0) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const chunk = Buffer.alloc(end - start);
      await file.read(chunk, 0, chunk.length, start);
      const bytes = Buffer.concat([chunk, rest]);
      end = start;
      // The first line of a chunk may begin in the chunk before it.
      const from = start === 0 ? 0 : bytes.indexOf('\n') + 1;
      if (start > 0 && from === 0) {
        rest = bytes;
        continue;
      }
      rest = bytes.subarray(0, from);
      const lines = bytes.subarray(from).toString().split('\n');
      for (const line of lines.toReversed()) if (line !== '') yield line;
    }
  } finally {
    await file.close();
  }
}
