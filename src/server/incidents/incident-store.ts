import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFileReplacer } from '../process/file-replacer.ts';
import { readCode } from '../process/read-code.ts';
import { EMPTY_BOOK, type IncidentBook, type Take, decodeBook, encodeBook } from './incident-book.ts';

/** Where incidents outlive the process, and where replicas agree on who follows them. */
export type IncidentStore = {
  /** Finds out whether this portal follows the conditions and sends the messages, or another one does. Never rejects. */
  readonly lead: () => Promise<Lead>;
  /** Keeps the book. Resolves with false if another portal leads by now: its book counts. Rejects if nothing can be kept. */
  readonly save: (book: IncidentBook) => Promise<boolean>;
  /** Tells whoever leads that somebody has taken an incident. */
  readonly passOn: (take: Take) => Promise<void>;
  /** Lets another portal lead at once. Never rejects. */
  readonly close: () => Promise<void>;
};

export type Lead = {
  readonly isLeading: boolean;
  /** Makes the book to go on with out of this portal's own, to be saved again. Undefined if its own is the right one. */
  readonly adopt?: (own: IncidentBook) => IncidentBook;
  /** What other portals passed on. It is passed on again until a book was saved. */
  readonly takes: readonly Take[];
};

export type FileIncidentStoreOptions = { readonly dataDir: string; readonly log: Logger };

/** Keeps the incidents of one portal alone: in `incidents.json` in the data folder, which is replaced as a whole. */
export function createFileIncidentStore({ dataDir, log }: FileIncidentStoreOptions): IncidentStore {
  const path = join(dataDir, 'incidents.json');
  const replace = createFileReplacer(path);
  let isLoaded = false;
  return {
    lead: async () => {
      if (isLoaded) return { isLeading: true, takes: [] };
      const book = await loadBook(path, log);
      isLoaded = true;
      return { isLeading: true, adopt: () => book, takes: [] };
    },
    save: async (book) => {
      await replace(Buffer.from(encodeBook(book)));
      return true;
    },
    passOn: async () => undefined,
    close: async () => undefined,
  };
}

async function loadBook(path: string, log: Logger): Promise<IncidentBook> {
  try {
    return decodeBook(await readFile(path, 'utf8'));
  } catch (error) {
    if (readCode(error) !== 'ENOENT')
      log.warn({ err: error, path }, 'the incidents cannot be read: they start anew');
    return EMPTY_BOOK;
  }
}
