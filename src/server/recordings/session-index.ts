import type { SessionRecord } from '../../contract/intake-message.ts';
import type { FrameLabel } from './frames.ts';
import type { RecordingFile } from './recording-store.ts';
import { type SessionEntry, addRecord, addSegment, createEntry, hasMessage } from './session-entry.ts';

/** What is kept, by session: the newest sessions, as many as fit. */
export type SessionIndex = {
  readonly get: (session: string) => SessionEntry | undefined;
  readonly entries: () => Iterable<SessionEntry>;
  readonly size: () => number;
  /** Does nothing if the session has this message already. */
  readonly add: (message: IndexedMessage) => void;
  readonly remove: (session: string) => void;
  /** True once sessions had to be left out. */
  readonly isFull: () => boolean;
  /** Grows with each change. */
  readonly version: () => number;
};

export type IndexedMessage = {
  readonly file: RecordingFile;
  readonly label: FrameLabel;
  /** On the disk. */
  readonly bytes: number;
  /** Undefined for a segment. */
  readonly record: SessionRecord | undefined;
};

/** This part of a full index is dropped at once, the oldest sessions first. */
const DROPPED_PART = 0.1;

/** Creates an empty index, which takes about `maxCost` bytes of memory. */
export function createSessionIndex(maxCost: number): SessionIndex {
  const entries = new Map<string, SessionEntry>();
  let cost = 0;
  let version = 0;
  let isFull = false;

  return {
    get: (session) => entries.get(session),
    entries: () => entries.values(),
    size: () => entries.size,
    add: ({ file, label, bytes, record }) => {
      const entry = entries.get(file.session) ?? createEntry(file.session, label.at);
      entry.days.add(file.day);
      if (hasMessage(entry, label)) return;
      const before = entries.has(file.session) ? entry.cost : 0;
      if ('number' in label) addSegment(entry, label);
      else if (record !== undefined) addRecord(entry, label, record);
      entry.bytes += bytes;
      entries.set(file.session, entry);
      cost += entry.cost - before;
      version += 1;
      if (cost > maxCost) dropOldest();
    },
    remove,
    isFull: () => isFull,
    version: () => version,
  };

  function remove(session: string): void {
    const entry = entries.get(session);
    if (entry === undefined) return;
    entries.delete(session);
    cost -= entry.cost;
    version += 1;
  }

  function dropOldest(): void {
    isFull = true;
    const oldest = [...entries.values()].toSorted((a, b) => a.lastAt - b.lastAt);
    for (const { id } of oldest) {
      if (cost <= maxCost * (1 - DROPPED_PART)) return;
      remove(id);
    }
  }
}
