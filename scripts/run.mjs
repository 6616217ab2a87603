// Runs a command of the project's own tool chain. Plain JavaScript: it works before anything is installed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Not SIGHUP: a listener would undo what `nohup` has done, and a terminal that closes tells the command itself. */
const SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs a command in the project's root and resolves with its exit status. Quiet: its output shows only if it fails. A signal
 * is passed on to the command, and ends this process when the command has ended.
 */
export function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let received;
    const passOn = (signal) => {
      received = signal;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, passOn);
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => {
      for (const each of SIGNALS) process.off(each, passOn);
      if (received !== undefined) process.kill(process.pid, received);
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
