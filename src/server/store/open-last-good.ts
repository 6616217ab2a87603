import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFileReplacer } from './create-file-replacer.ts';
import { isMissing } from '../../contract/read-code.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import type { Database } from './database.ts';

/** Copies of what a portal needs to start and to serve while its database is away. */
export type LastGood = {
  /** Keeps what was read from the database. It never rejects: without it, only a start without the database suffers. */
  readonly keep: (name: LastGoodName, bytes: Uint8Array) => Promise<void>;
  /** What was kept last. Undefined if there is nothing, or if it cannot be read. */
  readonly read: (name: LastGoodName) => Promise<Buffer | undefined>;
};

/** What is kept: one file for each. */
export type LastGoodName = 'site' | 'secret' | 'people' | 'snapshot';

export type LastGoodOptions = {
  readonly dataDir: string;
  /** If it is in the data folder itself, nothing is kept: a copy beside it would be of no use. */
  readonly database: Pick<Database, 'isShared' | 'brand'>;
  readonly log: Pick<Logger, 'warn'>;
};

const FOLDER = 'last-good';

/** Each file begins with a line that names the brand: a portal of another brand may be started on the same data folder. */
export function openLastGood({ dataDir, database, log }: LastGoodOptions): LastGood {
  const dir = join(dataDir, FOLDER);
  const firstLine = Buffer.from(`${database.brand}\n`);
  if (!database.isShared) return { keep: async () => undefined, read: async () => undefined };
  /** The hashes of what is on the disk: the files of a site may be large. */
  const kept = new Map<LastGoodName, string>();
  const wanted = new Map<LastGoodName, Uint8Array>();
  const writing = new Map<LastGoodName, Promise<void>>();
  const replacers = new Map<LastGoodName, ReturnType<typeof createFileReplacer>>();
  return {
    keep: (name, bytes) => {
      wanted.set(name, bytes);
      return findOrAdd(writing, name, () => writeNewest(name).finally(() => writing.delete(name)));
    },
    read: async (name) => {
      try {
        const bytes = await readFile(join(dir, name));
        if (bytes.indexOf(firstLine) === 0) return bytes.subarray(firstLine.length);
        log.warn({ name }, 'the last good copy in the data folder is of another brand: it is ignored');
      } catch (error) {
        if (!isMissing(error))
          log.warn({ err: error, name }, 'the last good copy in the data folder cannot be read');
      }
      return undefined;
    },
  };

  /** Writes the newest bytes. Bytes that come during a write are written after it. */
  async function writeNewest(name: LastGoodName): Promise<void> {
    const replace = findOrAdd(replacers, name, () => createFileReplacer(join(dir, name)));
    for (let bytes = wanted.get(name); bytes !== undefined; bytes = wanted.get(name)) {
      wanted.delete(name);
      const digest = hash('sha256', bytes, 'hex');
      if (kept.get(name) === digest) continue;
      try {
        await replace(Buffer.concat([firstLine, bytes]));
        kept.set(name, digest);
      } catch (error) {
        log.warn({ err: error, name }, 'the last good copy could not be written to the data folder');
      }
    }
  }
}
