import { fork } from 'node:child_process';
import { once } from 'node:events';

export type LoadedConsole = {
  readonly url: string;
  /** How many bytes a moment of it takes in the database. */
  readonly momentBytes: number;
  /** How many steps of keeping them took more than 20 ms. */
  readonly longSteps: number;
  /** Lets ten more seconds of visitors pass, and tells the console. */
  readonly update: () => void;
  readonly close: () => Promise<void>;
};

/** Starts the console of a large site, see `loaded-console.mjs`. */
export async function startLoadedConsole(): Promise<LoadedConsole> {
  const child = fork('bench/console/loaded-console.mjs');
  // The first thing it says.
  const [facts] = (await once(child, 'message')) as [
    Pick<LoadedConsole, 'url' | 'momentBytes' | 'longSteps'>,
  ];
  return {
    ...facts,
    update: () => child.send('update'),
    close: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
