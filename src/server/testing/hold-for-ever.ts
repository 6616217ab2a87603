import { lockDataFolder } from '../store/sqlite/lock-data-folder.ts';

/** Uses a data folder until it is killed. */
export async function holdForEver(dataDir: string): Promise<void> {
  await lockDataFolder(dataDir);
  // A lock does not keep a process alive.
  setInterval(() => undefined, 60_000);
  process.send?.('held');
}
