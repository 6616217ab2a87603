// Runs a command of the project's own tool chain. Plain JavaScript: it works before anything is installed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command in the project's root and resolves with its exit status. Quiet: its output shows only if it fails. */
export function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => {
      const status = code ?? (signal === 'SIGINT' ? 130 : 1);
      if (status !== 0) process.stderr.write(Buffer.concat(output));
      resolve(status);
    });
  });
}

/** Runs a tool that the project installed, without starting npx, which takes time. */
export function runTool(name, args, options) {
  return run(join(ROOT, 'node_modules', '.bin', name), args, options);
}
