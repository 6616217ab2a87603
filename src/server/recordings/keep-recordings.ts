import type { Logger } from 'pino';
import {
  INTAKE_SESSION_BYTES,
  INTAKE_SESSION_MESSAGES,
  INTAKE_SESSION_VIEWS,
  MINUTE_MS,
} from '../../contract/limits.ts';
import type { ErrorGroup, SessionFilter, SessionSummary } from '../../contract/recordings.ts';
import type { SessionRecord } from '../../contract/intake-message.ts';
import { takeTurns } from '../process/take-turns.ts';
import { addStacks } from './add-stacks.ts';
import { createDiskRoom } from './disk-room.ts';
import { type FoundSessions, findSessions } from './find-sessions.ts';
import { type FrameLabel, type Origin, encodeFrame } from './frames.ts';
import { groupErrors } from './group-errors.ts';
import { keepErased } from './keep-erased.ts';
import type { ReadMessage } from './read-message.ts';
import { type SessionDays, indexFile, readEntry, readEvents, readRecords } from './read-recordings.ts';
import { type RecordingFile, type RecordingStore, dayOf } from './recording-store.ts';
import { type SessionEntry, hasMessage, summarize } from './session-entry.ts';
import { createSessionIndex } from './session-index.ts';
import { createWriteQueue } from './write-queue.ts';

/** What became of a message. A duplicate is a success for the page that sent it. */
export type IntakeVerdict = 'taken' | 'duplicate' | 'session-closed' | 'queue-full';

/** What is to be erased: a session, or all that arrived before a day. */
export type Erasure = { readonly session: string } | { readonly before: string };

export type RecordingKeeper = {
  /**
   * Takes a message, and never waits: the disk follows within a second. While it hangs, one sender may take only a part of
   * the room for messages that wait.
   */
  readonly take: (message: ReadMessage, origin: Origin, sender?: string) => IntakeVerdict;
  readonly list: (filter: SessionFilter, before: number | undefined) => FoundSessions;
  readonly find: (session: string) => Promise<SessionSummary | undefined>;
  /** The events of a view in order, as the inside of a JSON array, segment by segment. */
  readonly readEvents: (session: string, view: string) => AsyncGenerator<string>;
  readonly groupErrors: () => Promise<readonly ErrorGroup[]>;
  readonly erase: (erasure: Erasure) => Promise<void>;
  readonly state: () => { readonly sessions: number; readonly bytes: number; readonly fault: string | null };
  /** Grows when anything has changed. */
  readonly version: () => number;
  /** Writes what waits. To be repeated several times a second. */
  readonly flush: () => Promise<void>;
  /** Reads what is on the disk into the index, the newest days first, file by file. To be called once. */
  readonly rebuild: () => Promise<void>;
  /** Removes what is too old or too much. To be repeated: it does nothing until an hour is over, or there is too much. */
  readonly prune: () => Promise<void>;
  /** Ends a rebuild that is under way, and writes what waits. */
  readonly close: () => Promise<void>;
};

export type KeepRecordingsOptions = {
  readonly store: RecordingStore;
  readonly limits: () => { readonly keepDays: number; readonly keepBytes: number };
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly now: () => number;
  /** Of messages that wait for the disk. */
  readonly maxQueueBytes?: number;
  readonly maxIndexBytes?: number;
  /** Of the events of a view. */
  readonly maxPlayedChars?: number;
};

const MAX_QUEUE_BYTES = 32_000_000;
const MAX_INDEX_BYTES = 60_000_000;
/** Four hours of a page make about half of this. A stranger's session of 20 MB can unpack to 400 MB, which no browser plays. */
const MAX_PLAYED_CHARS = 60_000_000;
/** A fault of the disk is logged this often. */
const LOG_EVERY_MS = MINUTE_MS;

/** Keeps what pages recorded: in a queue, in the store, and in an index of what the store has. */
export function keepRecordings(options: KeepRecordingsOptions): RecordingKeeper {
  const { store, limits, log, now, maxQueueBytes = MAX_QUEUE_BYTES } = options;
  const { maxIndexBytes = MAX_INDEX_BYTES, maxPlayedChars = MAX_PLAYED_CHARS } = options;
  const index = createSessionIndex(maxIndexBytes);
  const inTurn = takeTurns();
  const erased = keepErased({ store, onLoaded: dropErased, now });
  const room = createDiskRoom({ store, removeFile, limits, now });
  const queue = createWriteQueue({
    store,
    inTurn,
    maxBytes: maxQueueBytes,
    onWritten: room.add,
    onFault: logFault,
    now,
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isClosing = false;
  let grouping: Promise<readonly ErrorGroup[]> | undefined;

  return {
    take: ({ message, packed }, origin, sender) => {
      const { session } = message;
      const file = { day: dayOf(now()), session };
      const label = createLabel(message, now(), origin);
      const entry = index.get(session);
      if (erased.has(session)) return 'session-closed';
      if (entry !== undefined && hasMessage(entry, label)) return 'duplicate';
      if (entry !== undefined && isSpent(entry, label.view)) return 'session-closed';
      const frame = encodeFrame({ label, packed });
      if (!queue.add(file, frame, sender)) return 'queue-full';
      const record = message.kind === 'session' ? message : undefined;
      index.add({ file, label, bytes: frame.length, record });
      return 'taken';
    },
    list: (filter, before) => findSessions(index.entries(), filter, before),
    find: async (session) => {
      const entry =
        index.get(session) ??
        (await readEntry(store, { session, days: await store.listDays() }, maxIndexBytes));
      const summary = entry && summarize(entry);
      return summary && addStacks(summary, readWrittenRecords({ session, days: entry.days }));
    },
    readEvents: async function* (session, view) {
      await flush();
      const days = index.get(session)?.days ?? (await store.listDays());
      yield* readEvents(store, { session, days, view }, maxPlayedChars);
    },
    groupErrors: () => {
      // All consoles ask at the same moment.
      grouping ??= groupErrors(index.entries()).finally(() => (grouping = undefined));
      return grouping;
    },
    erase: async (erasure) => {
      if ('session' in erasure) await eraseSession(erasure.session);
      else await eraseBefore(erasure.before);
    },
    state: () => ({ sessions: index.size(), bytes: room.bytes() + queue.bytes(), fault: queue.fault() }),
    version: index.version,
    flush,
    rebuild: async () => {
      for (const day of (await store.listDays()).toReversed()) {
        for (const file of await store.listFiles(day)) {
          // An index that is full already has the newest sessions.
          if (isClosing || index.isFull()) return;
          // In turn, so that nothing removes or changes the file meanwhile.
          await inTurn(() => indexFile(store, file, index)).catch((error: unknown) =>
            log.error({ err: error, session: file.session }, 'a recording cannot be read'),
          );
        }
      }
    },
    prune: async () => {
      const oldest = await room.prune();
      if (oldest !== undefined) await inTurn(() => erased.forgetBefore(oldest));
    },
    close: async () => {
      isClosing = true;
      await flush();
    },
  };

  async function flush(): Promise<void> {
    // Nothing is written before it is known what was erased.
    if (!erased.isLoaded()) await inTurn(erased.load).catch(logFault);
    if (erased.isLoaded()) await queue.flush();
  }

  /** What pages sent of erased sessions before it was known that these were erased. */
  function dropErased(): void {
    queue.drop(({ session }) => erased.has(session));
    for (const { id } of index.entries()) if (erased.has(id)) index.remove(id);
  }

  async function eraseSession(session: string): Promise<void> {
    erased.add(session);
    index.remove(session);
    // In turn: what is being written now is on the disk, or back in the queue, when this begins.
    await inTurn(async () => {
      queue.drop((file) => file.session === session);
      for (const day of await store.listDays()) await store.remove({ day, session });
      index.remove(session);
    });
    await room.count();
    // Last: a disk that is full has room for it now.
    await inTurn(erased.save);
  }

  async function eraseBefore(before: string): Promise<void> {
    await inTurn(async () => queue.drop(({ day }) => day < before));
    // What a session has on later days is read again, from the disk.
    await flush();
    await room.removeDaysBefore(before);
    await room.count();
  }

  /** Removes a file. What the session has on other days stays. */
  async function removeFile({ day, session }: RecordingFile): Promise<void> {
    await inTurn(async () => {
      await store.remove({ day, session });
      const entry = index.get(session);
      if (!entry?.days.has(day)) return;
      index.remove(session);
      for (const other of entry.days) {
        if (other !== day) await indexFile(store, { day: other, session }, index);
      }
    });
  }

  async function* readWrittenRecords(place: SessionDays): AsyncGenerator<SessionRecord> {
    await flush();
    yield* readRecords(store, place);
  }

  function logFault(error: unknown): void {
    if (Math.abs(now() - loggedAt) < LOG_EVERY_MS) return;
    loggedAt = now();
    log.error({ err: error }, 'recordings could not be written: they wait in memory');
  }
}

function createLabel(message: ReadMessage['message'], at: number, origin: Origin): FrameLabel {
  const { view } = message;
  return message.kind === 'segment'
    ? { view, at, number: message.number }
    : { view, at, revision: message.revision, origin };
}

/** True if nothing more is kept of a session, because it has sent more than any page does. */
function isSpent({ messages, bytes, views }: SessionEntry, view: string): boolean {
  return (
    messages >= INTAKE_SESSION_MESSAGES ||
    bytes >= INTAKE_SESSION_BYTES ||
    (views.size >= INTAKE_SESSION_VIEWS && !views.has(view))
  );
}
