import type { ConsoleFault } from '../../../contract/console.ts';
import type { LineFault } from '../../../contract/line/line-fault.ts';
import { type LineState, portOf } from '../../lines/line-state.ts';

/** Lists the faults that the server's own probe found in a line, each once, with the ports that have it. */
export function describeFaults({
  addresses,
  health,
}: Pick<LineState, 'addresses' | 'health'>): readonly ConsoleFault[] {
  const found = new Map<string, { readonly fault: LineFault; readonly ports: readonly number[] }>();
  for (const { address, faults, pageFault } of addresses) {
    const ofApplication = health?.faults.find((each) => each.address === address)?.fault;
    for (const fault of [...faults, pageFault, ofApplication].filter((each) => each !== undefined)) {
      const key = JSON.stringify(fault);
      const { ports } = found.get(key) ?? { ports: [] };
      found.set(key, { fault, ports: [...ports, portOf(address)] });
    }
  }
  return [...found.values()].map(({ fault, ports }) => ({
    fault,
    // If all ports have a fault, it belongs to the whole line, and naming ports would not help.
    ports: ports.length === addresses.length ? [] : ports,
  }));
}
