import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** Installs the packages of the lock file, unless they are all there already. */
export async function installPackages() {
  if (areInstalled()) return;
  process.stdout.write('Installing packages …\n');
  const status = await run('npm', ['ci', '--no-audit', '--no-fund'], { quiet: true });
  if (status === 0) return;
  process.stderr.write('npm ci failed: see above; is the package registry reachable?\n');
  process.exit(status);
}

/** npm notes what it has installed, at the end of an install. Packages for other platforms are optional. */
function areInstalled() {
  const wanted = readPackages(join(ROOT, 'package-lock.json'));
  const found = readPackages(join(ROOT, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const installed = found[path];
    if (path === '' || (installed === undefined && optional)) return true;
    return installed?.version === version && installed?.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {}; // Nothing was installed yet, or not to its end.
  }
}
