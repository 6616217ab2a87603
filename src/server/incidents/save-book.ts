import type { Logger } from 'pino';
import { type InTurn, takeTurns } from '../process/take-turns.ts';
import { withDeadline } from '../process/with-deadline.ts';
import type { IncidentBook } from './incident-book.ts';
import type { IncidentStore } from './incident-store.ts';

export type BookSaverDeps = {
  readonly store: Pick<IncidentStore, 'save'>;
  /** The book as it is now. */
  readonly read: () => IncidentBook;
  /** Told that another portal leads by now, so that its book counts. */
  readonly onDeposed: () => void;
  readonly log: Logger;
  readonly now: () => number;
};

export type BookSaver = {
  /** Writes the book if it has changed. Never rejects: if it fails, everything goes on in memory. */
  readonly save: () => Promise<void>;
  /** The same, but a book in which only numbers have grown waits for its time. */
  readonly saveIfDue: (hasNews: boolean) => Promise<void>;
  /** Does a job while nothing is written. */
  readonly inTurn: InTurn;
  /** Resolves when nothing is being written. */
  readonly settle: () => Promise<void>;
};

/** How often the growing number of visitors is written. */
const SAVE_EVERY_MS = 30_000;
const SAVE_LIMIT_MS = 5_000;

/** Writes the book of incidents, one version after the other. */
export function createBookSaver({ store, read, onDeposed, log, now }: BookSaverDeps): BookSaver {
  const inTurn = takeTurns();
  let savedBook = read();
  let savedAt = now();
  /** True if more has happened since the last write than that numbers have grown. */
  let isUrgent = false;
  let isKeeping = true;
  let saving: Promise<void> = Promise.resolve();

  return {
    save,
    saveIfDue: async (hasNews) => {
      isUrgent ||= hasNews;
      const isTime = isUrgent || Math.abs(now() - savedAt) >= SAVE_EVERY_MS;
      if (isTime && read() !== savedBook) await save();
    },
    inTurn,
    settle: () => saving,
  };

  function save(): Promise<void> {
    return (saving = inTurn(write));
  }

  async function write(): Promise<void> {
    const book = read();
    if (book === savedBook) return;
    try {
      const isKept = await withDeadline(
        store.save(book),
        SAVE_LIMIT_MS,
        'the incidents were not written in time',
      );
      if (!isKept) return onDeposed();
      savedBook = book;
      if (!isKeeping) log.info('the incidents are kept again');
      isKeeping = true;
    } catch (error) {
      if (isKeeping) log.error({ err: error }, 'the incidents cannot be kept for now');
      isKeeping = false;
    }
    savedAt = now();
    isUrgent = false;
  }
}
