import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Attack } from './measure-attacks.ts';

/** The attack of this name in `attacker.mjs`, at a port of this machine. */
export function attackWith(name: string, port: number): Attack {
  return {
    what: name,
    start: async () => {
      const child = spawn(process.execPath, ['bench/attack/attacker.mjs', name, String(port)], {
        stdio: 'inherit',
      });
      await once(child, 'spawn');
      return async () => {
        if (child.exitCode !== null) throw new Error(`the attacker of "${name}" ended by itself`);
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      };
    },
  };
}
