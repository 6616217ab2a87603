import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

type Output = Extract<StdioOptions, readonly unknown[]>[number];
type Outputs = { readonly stdout?: Output; readonly stderr?: Output };

/** Builds a module with all that it imports, for a test that starts many processes: without Vite they start faster. */
export async function bundleModule(module: URL, outDir: string): Promise<URL> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(module),
      outDir,
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  });
  return pathToFileURL(join(outDir, basename(module.pathname).replace('.ts', '.mjs')));
}

/** Calls an exported function in a process of its own, which a test may kill. The module is a source, or a bundle. */
export function spawnFunction(
  module: URL,
  name: string,
  args: readonly unknown[],
  { stdout = 'pipe', stderr = 'inherit' }: Outputs = {},
): ChildProcess {
  const path = JSON.stringify(fileURLToPath(module));
  const load = module.pathname.endsWith('.mjs')
    ? `const module = await import(${path});`
    : `const { runnerImport } = await import('vite');
      const { module } = await runnerImport(${path}, { logLevel: 'error', configFile: false });`;
  const call = `${load} await module.${name}(...${JSON.stringify(args)});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', call], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', stdout, stderr, 'ipc'],
  });
}
