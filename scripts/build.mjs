import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compressAssets } from './compress-assets.mjs';
import { installPackages } from './install-packages.mjs';
import { ROOT, runTool } from './run.mjs';

const STAMP = join(ROOT, 'dist', '.waypost-built');
const LINE_FILES = join(ROOT, 'deploy/line/www/waypost');
const INPUTS = [
  'src',
  'scripts/build.mjs',
  'scripts/compress-assets.mjs',
  'site/site.schema.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
];
/** Nothing of these is built. */
const IS_OF_TESTS = /\.test\.ts$|\/testing\//;

/** The folders of `dist/web` whose files a portal serves as they are. */
const SERVED = ['client', 'client/assets', 'console/assets'];

/** Builds `dist/`, unless it was built from these very sources. */
export async function build() {
  const wanted = hashInputs();
  if (readStamp() === wanted && existsSync(LINE_FILES)) return;
  process.stdout.write('Building …\n');
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  const compiled = await runTool('tsc', ['-b', 'src/cli'], { quiet: true });
  // Overrides the shell's value: with another one, Vite builds pages that the server cannot render.
  const env = { NODE_ENV: 'production' };
  const bundled = compiled || (await runTool('vite', ['build', '--app'], { quiet: true, env }));
  if (bundled !== 0) process.exit(bundled);
  for (const dir of SERVED) compressAssets(join(ROOT, 'dist/web', dir));
  copyLineFiles();
  writeFileSync(STAMP, wanted);
}

/** Puts the files for a line where operators copy them from, with the version that `waypost check --lines` looks for. */
function copyLineFiles() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(LINE_FILES, { recursive: true });
  for (const name of ['stay', 'stay-worker']) {
    const script = readFileSync(join(ROOT, 'dist/web', name, `${name}.js`), 'utf8');
    writeFileSync(join(LINE_FILES, `${name}.js`), `/* Waypost ${version} */\n${script}`);
  }
}

/** What `dist/` was last built from. */
function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined; // It was never built.
  }
}

function hashInputs() {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const file of listFiles(join(ROOT, input))) {
      if (!IS_OF_TESTS.test(file)) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

function listFiles(path) {
  const entries = readDirectory(path);
  if (entries === undefined) return [path];
  return entries.toSorted().flatMap((name) => listFiles(join(path, name)));
}

function readDirectory(path) {
  try {
    return readdirSync(path);
  } catch {
    return undefined; // A file.
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await installPackages();
  await build();
}
