import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs something, and returns how many bytes of the heap what it made still holds, while nobody has forgotten it. */
export function measureHeldBytes(run: () => unknown): number {
  // Node shows its garbage collector only when it is told to.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = run();
  collectGarbage();
  const held = process.memoryUsage().heapUsed - before;
  // Used after the measurement, so that it is not garbage before.
  return made === undefined ? Number.NaN : held;
}
