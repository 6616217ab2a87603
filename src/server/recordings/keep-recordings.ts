import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import type { ErrorGroup, SessionFilter, SessionSummary } from '../../contract/recordings.ts';
import { writeDay } from '../../contract/write-day.ts';
import { forgetOldest } from '../process/forget-oldest.ts';
import { shareRun } from '../process/share-run.ts';
import { type Database, isStoreError } from '../store/database.ts';
import { type VisitorFacts, describeRecord } from './describe-record.ts';
import { type FoundSessions, findSession, findSessions, readSegments } from './find-sessions.ts';
import { groupErrors } from './group-errors.ts';
import { type ReadMessage, unpackEvents } from './read-message.ts';
import { createSegmentsTable } from './recording-rows.ts';
import {
  type RecordingLimits,
  eraseSession,
  readDays,
  removeDaysBefore,
  removeOld,
} from './remove-recordings.ts';
import { type WaitingMessage, keyOf, writeMessages } from './write-messages.ts';
import { createWriteQueue } from './create-write-queue.ts';

/** What became of a message. One that came before is taken, too, and changes nothing. */
export type IntakeVerdict = 'taken' | 'session-closed' | 'queue-full';

/** What is to be erased: a session, or all that began before a day. */
export type Erasure = { readonly session: string } | { readonly before: string };

export type RecordingKeeper = {
  /**
   * Takes a message, and never waits: the database follows within a second. While it is away, one sender may take only a part of
   * the room for messages that wait.
   */
  readonly take: (message: ReadMessage, visitor: VisitorFacts, sender?: string) => IntakeVerdict;
  readonly list: (filter: SessionFilter, after: string | undefined) => Promise<FoundSessions>;
  readonly find: (session: string) => Promise<SessionSummary | undefined>;
  /** The events of a view in order, as the inside of a JSON array, segment by segment. */
  readonly readEvents: (session: string, view: string) => AsyncGenerator<string>;
  readonly groupErrors: () => Promise<readonly ErrorGroup[]>;
  readonly erase: (erasure: Erasure) => Promise<void>;
  /** As of the last refresh. */
  readonly state: () => { readonly sessions: number; readonly bytes: number; readonly fault: string | null };
  /** Grows when something has changed, on any portal. */
  readonly version: () => number;
  /** Writes what waits. The server calls it four times a second. */
  readonly flush: () => Promise<void>;
  /** Finds out how much there is. The server calls it once a second. */
  readonly refresh: () => Promise<void>;
  /** Removes what is too old or too much. It does nothing until an hour has passed, or there is too much. */
  readonly prune: () => Promise<void>;
};

export type KeepRecordingsOptions = {
  readonly database: Pick<
    Database,
    'isShared' | 'read' | 'change' | 'transaction' | 'erase' | 'shrink' | 'lead'
  >;
  readonly limits: () => RecordingLimits;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
  /** Of messages that wait for the database. */
  readonly maxQueueBytes?: number;
  /** Of the events of a view. */
  readonly maxPlayedChars?: number;
};

const MAX_QUEUE_BYTES = 32_000_000;
/** Four hours of a page make about half of this. A stranger's session of 20 MB can unpack to 400 MB, which no browser plays. */
const MAX_PLAYED_CHARS = 60_000_000;
/** About what a row takes beside its content. */
const ROW_BYTES = 200;
/** Sessions and views of which nothing more is kept, as far as this portal has seen. */
const MAX_CLOSED = 10_000;
const PRUNE_EVERY_MS = HOUR_MS;
/** A fault of the database is logged this often. */
const LOG_EVERY_MS = MINUTE_MS;

/** Keeps what pages recorded: first in a queue, then in the database. */
export function keepRecordings(options: KeepRecordingsOptions): RecordingKeeper {
  const { database, limits, log, now, maxQueueBytes = MAX_QUEUE_BYTES } = options;
  const { maxPlayedChars = MAX_PLAYED_CHARS } = options;
  const removal = { database, writer: randomUUID(), now };
  const erasure = { ...removal, database: { ...database, transaction: database.erase } };
  const closed = new Set<string>();
  const write = createMessageWriter({
    database,
    writer: removal.writer,
    now,
    onClosed: close,
    onLost: logFault,
  });
  const queue = createWriteQueue({ write, maxBytes: maxQueueBytes, onFault: logFault, now });
  const { flush } = queue;
  let known = { sessions: 0, bytes: 0, changes: 0 };
  let version = 0;
  let prunedAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;

  return {
    take: (read, visitor, sender) => {
      const waiting = describeMessage(read, now(), visitor);
      if (closed.has(waiting.session) || closed.has(keyOf(waiting))) return 'session-closed';
      return queue.add(waiting, sender) ? 'taken' : 'queue-full';
    },
    list: async (filter, after) => {
      await flush();
      return findSessions(database, filter, after);
    },
    find: async (session) => {
      await flush();
      return findSession(database, session);
    },
    readEvents: async function* (session, view) {
      await flush();
      let left = maxPlayedChars;
      for await (const packed of readSegments(database, session, view)) {
        const events = unpackEvents(packed);
        left -= events.length;
        if (left < 0) return;
        if (events !== '') yield events;
      }
    },
    // All consoles ask at the same moment.
    groupErrors: shareRun(() => groupErrors(database)),
    erase: async (erased) => {
      if ('session' in erased) {
        // What waits of it is not written any more: each transaction looks whether a session was erased.
        await eraseSession(erased.session, erasure);
        close(erased.session);
      } else {
        // Messages that wait would create these sessions again, so they are written first.
        await flush();
        await removeDaysBefore(erased.before, erasure);
        await database.shrink();
      }
      await refresh();
    },
    state: () => ({
      sessions: known.sessions,
      bytes: known.bytes + queue.bytes(),
      fault: queue.fault(),
    }),
    version: () => version,
    flush,
    refresh,
    prune: async () => {
      const sinceMs = now() - prunedAt;
      // Or the clock was set back.
      const isDue = sinceMs >= PRUNE_EVERY_MS || sinceMs < 0;
      if (!isDue && known.bytes <= limits().keepBytes) return;
      // One portal does it for all.
      if ((await database.lead()) === undefined) return;
      prunedAt = now();
      await removeOld(limits(), removal);
      await database.shrink();
      await refresh();
    },
  };

  async function refresh(): Promise<void> {
    const found = { sessions: 0, bytes: 0, changes: 0 };
    for (const day of await readDays(database)) {
      found.sessions += day.sessions;
      found.bytes += day.bytes;
      found.changes += day.changes;
    }
    if (found.changes !== known.changes) version += 1;
    known = found;
  }

  /** Notes that nothing more is kept of a session or a view. */
  function close(key: string): void {
    closed.add(key);
    forgetOldest(closed, MAX_CLOSED);
  }

  function logFault(error: unknown): void {
    if (Math.abs(now() - loggedAt) < LOG_EVERY_MS) return;
    loggedAt = now();
    log.error({ err: error }, 'recordings could not be written');
  }
}

type MessageWriterDeps = Pick<KeepRecordingsOptions, 'database' | 'now'> & {
  /** Names this portal in the rows that it writes. */
  readonly writer: string;
  /** Told of each session, and of each view, of which nothing more is kept. */
  readonly onClosed: (key: string) => void;
  /** Told why a message is lost. */
  readonly onLost: (error: unknown) => void;
};

/** Writes messages into the table of today. */
function createMessageWriter({ database, writer, now, onClosed, onLost }: MessageWriterDeps) {
  /** The days whose table is there, as far as is known. */
  const days = new Set<string>();
  return write;

  async function write(messages: readonly WaitingMessage[]): Promise<void> {
    try {
      await writeTogether(messages);
    } catch (error) {
      if (isStoreError(error)) throw error;
      // The table of today may have been dropped by another portal, whose clock is ahead.
      days.clear();
      for (const message of messages) await writeAlone(message);
    }
  }

  async function writeTogether(messages: readonly WaitingMessage[]): Promise<void> {
    const today = writeDay(now());
    if (!days.has(today)) await createSegmentsTable(database, today);
    days.add(today);
    const found = await writeMessages(database, messages, { writer, today });
    for (const key of found) onClosed(key);
  }

  /** A message that the database refuses must not hold up the others: it is lost. */
  async function writeAlone(message: WaitingMessage): Promise<void> {
    try {
      await writeTogether([message]);
    } catch (error) {
      if (isStoreError(error)) throw error;
      onLost(error);
    }
  }
}

function describeMessage(
  { message, packed }: ReadMessage,
  at: number,
  visitor: VisitorFacts,
): WaitingMessage {
  const { session, view } = message;
  if (message.kind === 'segment') {
    const endedAt = Math.round(message.events.at(-1)?.timestamp ?? 0);
    return { session, view, at, bytes: packed.length + ROW_BYTES, number: message.number, endedAt, packed };
  }
  const record = describeRecord(message);
  const bytes = record.seen.length + record.stacks.length + ROW_BYTES;
  return { session, view, at, bytes, revision: message.revision, visitor, record };
}
