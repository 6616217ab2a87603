import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { DistantWorld, DistantWorldSettings, startDistantWorld } from './start-distant-world.ts';

/**
 * Starts a distant world in a process of its own. Beside the one that drives the browser, which is busy whenever the
 * browser is, the relays would hold bytes back for longer than they should.
 */
export async function openDistantWorld(
  settings: DistantWorldSettings,
): Promise<Awaited<ReturnType<typeof startDistantWorld>>> {
  const process = fork('bench/distant-world.mjs', [JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // It sends this one message; functions do not travel.
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
