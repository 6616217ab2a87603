import { chmod, chown, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { list, extract } from 'tar';
import * as v from 'valibot';
import type { BackupSummary } from './backup.ts';
import {
  type BackupManifest,
  DATABASE,
  MANIFEST,
  RECORDINGS,
  hashFile,
  manifestSchema,
  refusePostgres,
  verifyVersion,
} from './backup/data-files.ts';
import { checkFile, checkFolder } from './given-paths.ts';
import { type Command, CommandError, createDataOption, readOnlyArgument, writeMinute } from './command.ts';
import { readReason } from '../contract/read-code.ts';

/** `waypost restore`: makes a data folder from a backup. */
export const restore: Command = {
  help: `Usage: waypost restore FILE [--data DIR]

Checks a file of "waypost backup", all of it, and makes a data folder from it. DIR must be new or empty: move an old data
folder away first, with its portal stopped. Start the portal afterwards, as before.

  --data DIR     the new data folder (default: WAYPOST_DATA, or ./data)

Example: waypost restore /root/waypost-2026-12-01.tar.gz --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: createDataOption(process.env) },
      allowPositionals: true,
    });
    refusePostgres('psql or pg_restore');
    const file = readOnlyArgument(positionals, 'the name of one backup, such as waypost-backup.tar.gz');
    const { madeAt, files, version } = await restoreBackup(file, values.data);
    console.log(
      `${values.data}: ${files.join(', ')} as of ${writeMinute(madeAt)}${version === 0 ? '' : `, current version ${version}`}`,
    );
    return 0;
  },
};

export type RestoreSummary = BackupSummary & { readonly madeAt: number };

/** In the data folder itself: that may be a mounted disk, whose own name cannot be replaced. */
const UNFINISHED = '.restoring';
const NAMES: ReadonlySet<string> = new Set([DATABASE, RECORDINGS, MANIFEST]);

/** Restores a backup, or throws and leaves an empty folder. */
export async function restoreBackup(file: string, dataDir: string): Promise<RestoreSummary> {
  await checkFile('FILE', file);
  await checkFolder('--data', dataDir);
  await refuseOldFolder(dataDir);
  await checkEntries(file);
  const unfinished = join(dataDir, UNFINISHED);
  // A try that was killed may have left files of another backup.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    await extract({ file, cwd: unfinished, strict: true, preserveOwner: false });
    const manifest = await readManifest(unfinished);
    const paths = Object.keys(manifest.files);
    for (const path of paths) {
      const hash = await hashFile(join(unfinished, path)).catch(() => refuse(`${path} is missing`));
      if (hash !== manifest.files[path]) refuse(`${path} is damaged`);
    }
    const version = await verifyVersion(unfinished);
    await rm(join(unfinished, MANIFEST));
    await giveToOwnerOf(dataDir, unfinished);
    // The portal counts as restored when its database is there, so that is the last one.
    for (const name of (await readdir(unfinished)).toSorted()) {
      await rename(join(unfinished, name), join(dataDir, name));
    }
    return { madeAt: manifest.madeAt, files: paths, version };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function refuseOldFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((): string[] => []);
  const others = names.filter((name) => name !== UNFINISHED && name !== 'lost+found');
  if (others.length === 0) return;
  throw new CommandError({
    code: 'folder-in-use',
    message: `${dataDir} is not empty: stop its portal, and move the folder away first`,
  });
}

/** Looks at every name before anything is written. */
async function checkEntries(file: string): Promise<void> {
  const paths: string[] = [];
  try {
    await list({ file, strict: true, onReadEntry: ({ path, type }) => void paths.push(`${type} ${path}`) });
  } catch (error) {
    throw new CommandError({
      code: 'backup',
      message: `${file} cannot be read as a backup: ${readReason(error)}`,
    });
  }
  if (!paths.includes(`File ${MANIFEST}`)) refuse(`${file} is not a file of "waypost backup"`);
  for (const path of paths) {
    const [, name = ''] = /^File (.*)$/s.exec(path) ?? [];
    if (!NAMES.has(name)) refuse(`${file} holds ${JSON.stringify(path)}, which no backup has`);
  }
}

async function readManifest(dir: string): Promise<BackupManifest> {
  try {
    return v.parse(manifestSchema, JSON.parse(await readFile(join(dir, MANIFEST), 'utf8')));
  } catch {
    return refuse(`${MANIFEST} in it cannot be read: it may be of a newer Waypost`);
  }
}

/** Nobody but the portal's own user may read it, also if root restores it. */
async function giveToOwnerOf(dataDir: string, dir: string): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() ? 0o700 : 0o600);
    if (process.getuid?.() === 0) await chown(path, uid, gid);
  }
}

function refuse(reason: string): never {
  throw new CommandError({ code: 'backup', message: `nothing was restored: ${reason}` });
}
