import { holdDesk } from '../desk/hold-desk.ts';

/** Holds a desk until it is killed. */
export async function holdForEver(dir: string): Promise<void> {
  await holdDesk(dir, async () => '');
  // A hold does not keep a process alive.
  setInterval(() => undefined, 60_000);
  process.send?.('held');
}
