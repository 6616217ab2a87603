import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { openDeskStores } from '../../server/desk/open-desk-stores.ts';
import { findDatabaseFile, findRecordingsFile } from '../../server/store/open-database.ts';
import { CommandError } from '../command.ts';
import { readDatabasePlace } from '../read-database-place.ts';
import { useDatabase } from '../use-database.ts';

/** What is in a backup, beside the files of the data folder: their hashes, by their paths. */
export const MANIFEST = 'backup.json';
export const manifestSchema = v.strictObject({
  format: v.literal(1),
  /** In ms since 1970. */
  madeAt: v.number(),
  files: v.record(v.string(), v.string()),
});

export type BackupManifest = v.InferOutput<typeof manifestSchema>;

/**
 * What of a data folder cannot be made again: who may sign in, what they did, every version, the numbers of visits, what was
 * learned, and the secret.
 */
export const DATABASE = basename(findDatabaseFile(''));
/** A database of its own, because it may be large. It is in a backup only if it is asked for. */
export const RECORDINGS = basename(findRecordingsFile(''));

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Reads every file of the current version. Throws if one is missing or damaged. Returns 0 where there is no version. */
export async function verifyVersion(dataDir: string): Promise<number> {
  const place = readDatabasePlace(dataDir, { WAYPOST_BRAND: process.env.WAYPOST_BRAND });
  return useDatabase(place, async (database) => {
    const { versions, files } = openDeskStores({ database, siteDir: '', now: Date.now });
    const current = await versions.findCurrent();
    if (current !== undefined) await files.readFiles(current.files);
    return current?.number ?? 0;
  });
}

/** What PostgreSQL keeps is not in the data folder. */
export function refusePostgres(tool: string): void {
  if (!process.env.WAYPOST_DATABASE_URL) return;
  throw new CommandError({
    code: 'backup',
    message: `this portal keeps everything in PostgreSQL (WAYPOST_DATABASE_URL): use ${tool}, see "Backup" in docs/operate.md`,
  });
}
