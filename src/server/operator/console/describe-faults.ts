import type { ConsoleFault } from '../../../contract/console.ts';
import { type SiteConfig, publicOriginOf } from '../../../contract/site/site-config.ts';
import { describeFault } from '../../../engine/line/describe-fault.ts';
import type { LineState } from '../../lines/watch-lines.ts';

/** The faults that the server's own probe found in a line, each once, with the ports that have it. */
export function describeFaults(
  { addresses }: Pick<LineState, 'addresses'>,
  config: Pick<SiteConfig, 'lines' | 'publicUrl'>,
): readonly ConsoleFault[] {
  const expected = { ...config.lines, portal: publicOriginOf(config) };
  const found = new Map<string, { fault: Omit<ConsoleFault, 'ports'>; ports: number[] }>();
  for (const { address, faults, pageFault } of addresses) {
    for (const fault of pageFault === undefined ? faults : [...faults, pageFault]) {
      const text = describeFault(fault, address, expected);
      const known = found.get(text.problem);
      if (known) known.ports.push(portOf(address));
      else found.set(text.problem, { fault: { kind: fault.kind, ...text }, ports: [portOf(address)] });
    }
  }
  return [...found.values()].map(({ fault: { kind, problem, advice }, ports }) => ({
    kind,
    problem,
    advice,
    // If all ports have a fault, it belongs to the whole line, and naming ports would not help.
    ports: ports.length === addresses.length ? [] : ports,
  }));
}

function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
