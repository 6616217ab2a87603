import { holdDesk } from '../desk/hold-desk.ts';

/** Holds a desk until it is killed. */
export async function holdForEver(dir: string): Promise<void> {
  await holdDesk(dir, async () => '');
  process.send?.('held');
}
