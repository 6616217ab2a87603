import { isDeepStrictEqual } from 'node:util';
import type { Delivered } from '../messages/create-delivery.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { UncertainCommitError } from '../store/database.ts';
import type { IncidentStore } from './create-incident-store.ts';
import {
  EMPTY_BOOK,
  type IncidentBook,
  type Outcome,
  findChanges,
  forgetOld,
  noteOutcome,
} from './incident-book.ts';

/** The incidents and messages as this portal knows them, and how they get into the database and out of it. */
export type BookKeeper = {
  readonly book: () => IncidentBook;
  /** Takes over what this portal has seen. It is written later, and dropped if `load` finds something else: the next look sees it again. */
  readonly change: (next: IncidentBook) => void;
  /** Notes what became of a message. Unlike what was seen, it is not dropped, because it cannot be seen again. */
  readonly note: (delivered: Delivered) => void;
  readonly hasUnsavedNotes: () => boolean;
  /** True if there is something to write, and it is time to. */
  readonly isDue: () => boolean;
  /** Writes what has changed, and then reads: others may have changed the same incidents. Without a term, the portal has acted alone. */
  readonly save: (term: number | undefined) => Promise<void>;
  /** Reads what has changed. */
  readonly load: () => Promise<void>;
  /** False if everything must be read. */
  readonly isLoaded: () => boolean;
  /** The next `load` reads everything. */
  readonly unload: () => void;
};

export type BookKeeperDeps = {
  readonly store: Pick<IncidentStore, 'read' | 'write'>;
  readonly now: () => number;
};

/** How often the growing number of visitors is written. */
const SAVE_EVERY_MS = 30_000;

export function createBookKeeper({ store, now }: BookKeeperDeps): BookKeeper {
  /** What the database has, as far as this portal has read. */
  let saved: IncidentBook = EMPTY_BOOK;
  /** Undefined if everything must be read. */
  let readUntil: number | undefined;
  /** What the database has, and what is to be written. */
  let book: IncidentBook = EMPTY_BOOK;
  /** Results of sending that are not in the database yet. */
  let outcomes: readonly Outcome[] = [];
  let savedAt = now();
  /** True if anything is to be written beside numbers that grew. */
  let isUrgent = false;

  return {
    book: () => book,
    change: (next) => {
      const before = book;
      book = forgetOld(next, now());
      isUrgent ||= isNews(before, book);
    },
    note: (delivered) => {
      const outcome = { delivered, at: now() };
      outcomes = [...outcomes, outcome];
      book = noteOutcome(book, outcome);
      isUrgent = true;
    },
    hasUnsavedNotes: () => outcomes.length > 0,
    isDue: () => book !== saved && (isUrgent || Math.abs(now() - savedAt) >= SAVE_EVERY_MS),
    save,
    load,
    isLoaded: () => readUntil !== undefined,
    unload: () => {
      readUntil = undefined;
    },
  };

  async function load(): Promise<void> {
    const { incidents, outbox, until } = await store.read(readUntil ?? 0);
    const isSame = incidents.length === 0 && isDeepStrictEqual(outbox, saved.outbox);
    if (readUntil !== undefined && isSame) return;
    const known = readUntil === undefined ? [] : saved.incidents;
    saved = { incidents: replaceById(known, incidents), outbox };
    readUntil = until;
    outcomes = outcomes.filter(({ delivered }) => isWaiting(delivered.outgoing, outbox));
    book = outcomes.reduce(noteOutcome, saved);
  }

  async function save(term: number | undefined): Promise<void> {
    const written = { book, outcomes };
    try {
      if (book !== saved)
        await store.write(findChanges(saved, book), { since: readUntil ?? 0, at: now(), term });
    } catch (error) {
      // It may have been written. What was done alone is written once more.
      if (error instanceof UncertainCommitError && term !== undefined) readUntil = undefined;
      throw error;
    }
    saved = written.book;
    outcomes = outcomes.filter((outcome) => !written.outcomes.includes(outcome));
    savedAt = now();
    isUrgent = outcomes.length > 0;
    await load();
  }
}

function isWaiting({ message }: Outgoing, outbox: readonly Outgoing[]): boolean {
  return outbox.some((other) => other.message.id === message.id);
}

function replaceById(
  known: readonly KeptIncident[],
  changed: readonly KeptIncident[],
): readonly KeptIncident[] {
  const byId = new Map([...known, ...changed].map((incident) => [incident.id, incident]));
  return [...byId.values()].toSorted((a, b) => a.startedAt - b.startedAt);
}

/** Whether anything has changed beside numbers that grew. */
function isNews(before: IncidentBook, after: IncidentBook): boolean {
  if (before.outbox.length !== after.outbox.length || before.incidents.length !== after.incidents.length)
    return true;
  return after.incidents.some((incident, index) => {
    const last = before.incidents[index];
    return incident.timeline !== last?.timeline || incident.told !== last.told;
  });
}
