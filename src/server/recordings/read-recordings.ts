import type { SessionRecord } from '../../contract/intake-message.ts';
import { unpackEvents, unpackRecord } from './read-message.ts';
import type { RecordingFile, RecordingStore } from './recording-store.ts';
import type { SessionEntry } from './session-entry.ts';
import { type SessionIndex, createSessionIndex } from './session-index.ts';

/** What is read back from the store. */
export type ReadStore = Pick<RecordingStore, 'read'>;

/** Where a session is. */
export type SessionDays = { readonly session: string; readonly days: Iterable<string> };

/** Adds what a file holds to an index. */
export async function indexFile(
  store: ReadStore,
  file: RecordingFile,
  index: Pick<SessionIndex, 'add'>,
): Promise<void> {
  for await (const { label, packed, start, end } of store.read(file)) {
    const record = 'revision' in label ? unpackRecord(packed) : undefined;
    index.add({ file, label, bytes: end - start, record });
  }
}

/** Describes a session that the index has no room for. */
export async function readEntry(
  store: ReadStore,
  { session, days }: SessionDays,
  maxIndexBytes: number,
): Promise<SessionEntry | undefined> {
  const alone = createSessionIndex(maxIndexBytes);
  for (const day of days) await indexFile(store, { day, session }, alone);
  return alone.get(session);
}

export async function* readRecords(
  store: ReadStore,
  { session, days }: SessionDays,
): AsyncGenerator<SessionRecord> {
  for (const day of days) {
    for await (const { label, packed } of store.read({ day, session })) {
      const record = 'revision' in label ? unpackRecord(packed) : undefined;
      if (record !== undefined) yield record;
    }
  }
}

/** The events of a view in order, as the inside of a JSON array, segment by segment, up to so many characters. */
export async function* readEvents(
  store: ReadStore,
  { session, days, view }: SessionDays & { readonly view: string },
  maxChars: number,
): AsyncGenerator<string> {
  const segments = new Map<number, Buffer>();
  for (const day of days) {
    for await (const { label, packed } of store.read({ day, session })) {
      if ('number' in label && label.view === view) segments.set(label.number, packed);
    }
  }
  let left = maxChars;
  for (const [, packed] of [...segments].toSorted(([a], [b]) => a - b)) {
    const events = unpackEvents(packed);
    left -= events.length;
    if (left < 0) return;
    if (events !== '') yield events;
  }
}
