import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Attack } from './measure-attacks.ts';

/** The attack of this name in `attacker.mjs`, at a port of this machine. */
export function attackWith(name: string, port: number): Attack {
  return { what: name, start: () => startAttacker('attacker.mjs', [name, String(port)]) };
}

/** Starts a script of this folder in a process of its own. Resolves with a function that ends it. */
export async function startAttacker(script: string, args: readonly string[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [`bench/attack/${script}`, ...args], { stdio: 'inherit' });
  await once(child, 'spawn');
  return async () => {
    if (child.exitCode !== null) throw new Error(`the attacker of "${args[0]}" ended by itself`);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
}
