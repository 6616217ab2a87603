import { fork } from 'node:child_process';
import { once } from 'node:events';

export type LoadedConsole = {
  readonly url: string;
  /** Lets ten more seconds of visitors pass, and tells the console. */
  readonly update: () => void;
  readonly close: () => Promise<void>;
};

/** Starts the console of a large site, see `loaded-console.mjs`. */
export async function startLoadedConsole(): Promise<LoadedConsole> {
  const child = fork('bench/console/loaded-console.mjs');
  const [url] = (await once(child, 'message')) as [string]; // The first thing it says is its address.
  return {
    url,
    update: () => child.send('update'),
    close: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
