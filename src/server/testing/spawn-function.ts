import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Output = Extract<StdioOptions, readonly unknown[]>[number];
type Outputs = { readonly stdout?: Output; readonly stderr?: Output };

/** Calls an exported function in a process of its own, which a test may kill. The sources run as they are. */
export function spawnFunction(
  module: URL,
  name: string,
  args: readonly unknown[],
  { stdout = 'pipe', stderr = 'inherit' }: Outputs = {},
): ChildProcess {
  const call = `const { runnerImport } = await import('vite');
    const { module } = await runnerImport(${JSON.stringify(fileURLToPath(module))}, { logLevel: 'error', configFile: false });
    await module.${name}(...${JSON.stringify(args)});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', call], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', stdout, stderr, 'ipc'],
  });
}
