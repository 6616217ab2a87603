import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

const STAMP = join(ROOT, 'node_modules', '.waypost-installed');

/** Installs the packages of the lock file, unless the last install was of this very file. */
export async function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (readStamp(STAMP) === wanted) return;
  process.stdout.write('Installing packages …\n');
  const status = await run('npm', ['ci', '--no-audit', '--no-fund'], { quiet: true });
  if (status !== 0) {
    process.stderr.write('npm ci failed: see above; is the package registry reachable?\n');
    process.exit(status);
  }
  writeFileSync(STAMP, wanted);
}

/** What was noted when something was last done, which tells whether it must be done again. */
export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // It was never done.
  }
}
