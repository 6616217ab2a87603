import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { DistantWorld, DistantWorldSettings, startDistantWorld } from './start-distant-world.ts';

/**
 * Starts a distant world in a process of its own. The process that drives the browser is busy whenever the browser is, so
 * relays in it would delay bytes for too long. It is the world of this checkout, or of another one in `dir`.
 */
export async function openDistantWorld(
  settings: DistantWorldSettings,
  dir = '.',
): Promise<Awaited<ReturnType<typeof startDistantWorld>>> {
  const process = fork('bench/distant-world.mjs', [JSON.stringify(settings)], {
    cwd: dir,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It sends only this message; a message cannot carry functions.
  const [world] = (await once(process, 'message')) as [Omit<DistantWorld, 'close'>];
  return {
    ...world,
    async close() {
      const ended = once(process, 'exit');
      process.disconnect();
      await ended;
    },
  };
}
