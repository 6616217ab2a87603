// npm run release: audits what ships, and writes the package and its SBOM into release/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { ROOT, run } from './run.mjs';

const OUT = join(ROOT, 'release');

await installPackages();
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
mkdirSync(OUT, { recursive: true });
const audited = await run('npm', ['audit', '--omit=dev']);
const packed = audited || (await run('npm', ['pack', '--pack-destination', OUT]));
if (packed === 0) writeFileSync(join(OUT, `${name}-${version}.sbom.json`), writeSbom());
process.exitCode = packed;

function writeSbom() {
  return execFileSync('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], { cwd: ROOT });
}
