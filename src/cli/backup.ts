import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { create } from 'tar';
import { findDatabaseFile } from '../server/store/open-database.ts';
import { openSqlite } from '../server/store/sqlite/open-sqlite.ts';
import {
  type BackupManifest,
  MANIFEST,
  RECORDINGS,
  hashFiles,
  listKeptFiles,
  refusePostgres,
  verifyVersion,
} from './backup/data-files.ts';
import { checkFolder, checkNewFile } from './given-paths.ts';
import { type Command, CommandError, createDataOption, readOnlyArgument } from './command.ts';

/** `waypost backup`: writes all of a data folder that cannot be made again into one file. */
export const backup: Command = {
  help: `Usage: waypost backup FILE [--data DIR] [--recordings]

Writes what a portal cannot make again into one file (tar, gzip): every version of the site, drafts, people, audit log,
numbers of visits, and the secret. The portal may run meanwhile. The file opens the console to whoever has it: keep it where only you can read it.

  --data DIR     the portal's data folder (default: WAYPOST_DATA, or ./data)
  --recordings   the recordings, too, which may be large

With PostgreSQL, make a backup of its database instead, with pg_dump.

Example: waypost backup /root/waypost-$(date +%F).tar.gz --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        data: createDataOption(process.env),
        recordings: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    refusePostgres('pg_dump');
    const file = readOnlyArgument(positionals, 'the name of one file, such as waypost-backup.tar.gz');
    const { files, version } = await writeBackup(values.data, file, {
      now: Date.now(),
      withRecordings: values.recordings,
    });
    console.log(`${file}: ${files} files, ${version === 0 ? 'no version' : `current version ${version}`}`);
    return 0;
  },
};

const DATABASE = basename(findDatabaseFile(''));

export type BackupSummary = { readonly files: number; readonly version: number };

/** Writes a backup. A file of that name is replaced only when the new one is whole. */
export async function writeBackup(
  dataDir: string,
  file: string,
  { now, withRecordings = false }: { readonly now: number; readonly withRecordings?: boolean },
): Promise<BackupSummary> {
  await checkNewFile('FILE', file);
  await checkFolder('--data', dataDir);
  if (!existsSync(dataDir)) {
    throw new CommandError({
      code: 'backup',
      message: `${dataDir}: there is no such data folder: write the one that the portal was started with`,
    });
  }
  // Beside the file, because it is as private as the file.
  const copy = await mkdtemp(join(dirname(file), '.waypost-backup-'));
  try {
    const databases = withRecordings ? [DATABASE, RECORDINGS] : [DATABASE];
    const paths = await copyFiles(dataDir, copy);
    for (const name of databases.filter((each) => existsSync(join(dataDir, each)))) {
      await copyDatabase(join(dataDir, name), join(copy, name));
      paths.push(name);
    }
    if (paths.length === 0) {
      throw new CommandError({
        code: 'backup',
        message: `${dataDir}: this is not the data folder of a portal`,
      });
    }
    const version = await verifyVersion(copy);
    const manifest: BackupManifest = { format: 1, madeAt: now, files: await hashFiles(copy, paths) };
    await writeFile(join(copy, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    const unfinished = join(copy, 'archive');
    await create({ cwd: copy, file: unfinished, gzip: true, portable: true, mode: 0o600 }, [
      MANIFEST,
      ...paths,
    ]);
    await rename(unfinished, file);
    return { files: paths.length, version };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** SQLite makes the copy, because its file alone may be in the middle of a change. */
async function copyDatabase(file: string, copy: string): Promise<void> {
  const database = openSqlite(file);
  try {
    await database.copyTo(copy);
  } finally {
    await database.close();
  }
}

/** Copies the other files, so that none changes between being hashed and being written. */
async function copyFiles(dataDir: string, copy: string): Promise<string[]> {
  const copied: string[] = [];
  for (const path of await listKeptFiles(dataDir)) {
    if ([DATABASE, RECORDINGS].includes(path)) continue;
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await copyFile(join(dataDir, path), join(copy, path));
    copied.push(path);
  }
  return copied;
}
