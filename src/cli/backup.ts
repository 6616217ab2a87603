import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { create } from 'tar';
import { openSqlite } from '../server/store/sqlite/open-sqlite.ts';
import {
  type BackupManifest,
  DATABASE,
  MANIFEST,
  RECORDINGS,
  hashFile,
  refusePostgres,
  verifyVersion,
} from './backup/data-files.ts';
import { checkFolder, checkNewFile } from './given-paths.ts';
import { type Command, CommandError, createDataOption, readOnlyArgument } from './command.ts';

/** `waypost backup`: writes all of a data folder that cannot be made again into one file. */
export const backup: Command = {
  help: `Usage: waypost backup FILE [--data DIR] [--recordings]

Writes what a portal cannot make again into one file (tar, gzip): every version of the site, drafts, people, audit log,
numbers of visits, and the secret. The portal may run meanwhile. A person with the file can sign in to the console: keep it where only you can read it.

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
    console.log(
      `${file}: ${files.join(', ')}, ${version === 0 ? 'no version' : `current version ${version}`}`,
    );
    return 0;
  },
};

export type BackupSummary = { readonly files: readonly string[]; readonly version: number };

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
    const wanted = withRecordings ? [DATABASE, RECORDINGS] : [DATABASE];
    const names = wanted.filter((name) => existsSync(join(dataDir, name)));
    if (names.length === 0) {
      throw new CommandError({
        code: 'backup',
        message: `${dataDir}: this is not the data folder of a portal`,
      });
    }
    for (const name of names) await copyDatabase(join(dataDir, name), join(copy, name));
    const version = await verifyVersion(copy);
    const files: Record<string, string> = {};
    for (const name of names) files[name] = await hashFile(join(copy, name));
    const manifest: BackupManifest = { format: 1, madeAt: now, files };
    await writeFile(join(copy, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    const unfinished = join(copy, 'archive');
    await create({ cwd: copy, file: unfinished, gzip: true, portable: true, mode: 0o600 }, [
      MANIFEST,
      ...names,
    ]);
    await rename(unfinished, file);
    return { files: names, version };
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
