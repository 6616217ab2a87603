import { mkdir, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** A data folder that no portal can use as it is. The message says why. */
class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  readonly code: 'data-in-use' | 'data-folder';

  constructor(code: DataFolderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Can be released more than once. */
export type DataFolderLock = { readonly release: () => void };

const FILE = 'portal.lock';

/** What Linux calls file systems of a network, see statfs(2). */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xfe_53_4d_42, 'SMB'],
  [0xff_53_4d_42, 'CIFS'],
  [0x00_c3_64_00, 'Ceph'],
  [0x53_46_41_4f, 'AFS'],
  [0x0b_d0_0b_d0, 'Lustre'],
]);

/**
 * Makes this process the only portal that uses a data folder, until it releases the folder or ends. SQLite locks a file there
 * that is for nothing else. The system frees the lock when the process ends, even if the process is killed. Of the commands, only
 * `waypost move` takes the lock.
 */
export async function lockDataFolder(
  dataDir: string,
  readFileSystem: (dir: string) => Promise<number> = readLinuxFileSystem,
): Promise<DataFolderLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const network = NETWORK_FILE_SYSTEMS.get(await readFileSystem(dataDir));
  if (network !== undefined) {
    throw new DataFolderError(
      'data-folder',
      `${dataDir} is on a file system of a network (${network}), where SQLite may lose what it has written: use a folder on a disk of this machine, or PostgreSQL`,
    );
  }
  // Only its owner may read it, like the rest of the data folder.
  await (await open(join(dataDir, FILE), 'a', 0o600)).close();
  const lock = await tryLock(dataDir);
  if (lock !== undefined) {
    return {
      release: () => {
        if (lock.isOpen) lock.close();
      },
    };
  }
  throw new DataFolderError(
    'data-in-use',
    `another portal uses ${dataDir}: stop it, or give this one a data folder of its own`,
  );
}

/** Undefined if another portal has the lock. */
async function tryLock(dataDir: string): Promise<DatabaseSyncInstance | undefined> {
  // Imported here, so that a portal without SQLite does not load the library.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(join(dataDir, FILE));
  try {
    database.exec('begin exclusive');
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

async function readLinuxFileSystem(dir: string): Promise<number> {
  // Other systems number them in another way.
  return process.platform === 'linux' ? (await statfs(dir)).type : 0;
}
