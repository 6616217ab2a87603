import type { HealthFault } from '../../contract/line/line-fault.ts';

/** What the server sees of a line's application. */
export type LineHealth = {
  readonly checkedAt: number;
  /** True if it is not well at any address that passes the speed check. */
  readonly isDead: boolean;
  readonly faults: readonly { readonly address: string; readonly fault: HealthFault }[];
};

/**
 * Asks the application of a line whether it is well: at one address, another one each time. If it is not, one failure may be
 * an accident, and the application may be well at another address. So all are asked.
 */
export async function checkHealth(
  addresses: readonly [string, ...string[]],
  {
    turn,
    ask,
  }: {
    /** How often it was asked before. */
    readonly turn: number;
    readonly ask: (address: string) => Promise<HealthFault | undefined>;
  },
): Promise<Omit<LineHealth, 'checkedAt'>> {
  const first = addresses[turn % addresses.length] ?? addresses[0];
  if ((await ask(first)) === undefined) return { isDead: false, faults: [] };
  const found = await Promise.all(addresses.map(async (address) => ({ address, fault: await ask(address) })));
  const faults = found.flatMap(({ address, fault }) => (fault === undefined ? [] : [{ address, fault }]));
  return { isDead: faults.length === addresses.length, faults };
}
