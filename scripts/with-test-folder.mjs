import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const MEMORY = '/dev/shm';
/** What the tests of all workers have at the same time is 1 GB at the most. */
const MIN_FREE_BYTES = 4e9;
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

/**
 * Runs tests with a folder for all that they write, and removes it: in memory if there is room. Tests wait for a disk thousands of
 * times, some milliseconds each.
 */
export async function withTestFolder(runTests) {
  // The same for each run of a checkout, so that the next one removes what a run that was killed has left.
  const name = `waypost-tests-${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`;
  const dir = join(isMemoryUsable() ? MEMORY : tmpdir(), name);
  rmSync(dir, REMOVAL);
  mkdirSync(dir);
  // PostgreSQL runs as another user.
  chmodSync(dir, 0o755);
  try {
    return await runTests({ TMPDIR: dir });
  } finally {
    rmSync(dir, REMOVAL);
  }
}

/** Tests start programs from there, too, which containers mostly forbid. */
function isMemoryUsable() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === MEMORY);
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize > MIN_FREE_BYTES;
  } catch {
    return false; // No such folder: this is no Linux.
  }
}
