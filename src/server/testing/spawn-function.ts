import { type ChildProcess, type SerializationType, type StdioOptions, spawn } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

type Output = Extract<StdioOptions, readonly unknown[]>[number];
type Outputs = {
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** How messages are written: "advanced" keeps maps and bytes. */
  readonly serialization?: SerializationType;
};

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** As many folders deep as the sources, because they find the demo brand's folder by a relative path. */
const BUNDLES_DIR = join(ROOT, 'test-results/unit/spawned');

/** The bundles that this process has built. Test files share a process, and most of them start the same few programs. */
const bundles = new Map<string, Promise<string>>();

/** Calls an exported function of a source in a process of its own, which a test may kill. */
export async function spawnFunction(
  module: URL,
  name: string,
  args: readonly unknown[],
  { stdout = 'pipe', stderr = 'inherit', serialization = 'json' }: Outputs = {},
): Promise<ChildProcess> {
  const source = fileURLToPath(module);
  const bundling = bundles.get(source) ?? bundleModule(source);
  bundles.set(source, bundling);
  const call = `const module = await import(${JSON.stringify(await bundling)});
    await module.${name}(...${JSON.stringify(args)});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', call], {
    cwd: ROOT,
    stdio: ['ignore', stdout, stderr, 'ipc'],
    serialization,
  });
}

/** Builds a module with all that it imports: a process that reads the sources itself takes seconds to start. */
async function bundleModule(source: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // Sharp and SQLite have a part that is no script, and pg looks for one that few have.
    ssr: { noExternal: true, external: ['sharp', 'pg', '@photostructure/sqlite'] },
    build: { ssr: source, write: false, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [bundle] = [built].flat();
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  if (!chunk) throw new Error(`${source} was not built`);
  const file = join(BUNDLES_DIR, basename(source).replace('.ts', '.mjs'));
  await mkdir(BUNDLES_DIR, { recursive: true });
  // Other processes of the tests may build the same one.
  await writeFile(`${file}.${process.pid}`, chunk.code);
  await rename(`${file}.${process.pid}`, file);
  return file;
}
