import type { LineReply } from '../../contract/line/line-reply.ts';
import { nameRange, parseAddress } from '../caller/parse-address.ts';
import { portOf } from '../lines/line-state.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import type { ObserverSources } from './create-observer.ts';
import type { LineGroups } from './join-incidents.ts';

/** Says which lines have a port or an address range in common. */
export type GroupLines = (sources: Pick<ObserverSources, 'site' | 'lineWatch'>) => LineGroups;

/** Remembers the address ranges, because a line that is down shows no address: its last one counts. */
export function createLineGrouper(): GroupLines {
  const ranges = new Map<string, string>();

  return ({ site, lineWatch }) => {
    const { lines, byId } = site().lines;
    const shared = new Map<string, Set<string>>();
    const share = (id: string, what: string): void =>
      void findOrAdd(shared, what, () => new Set()).add(`line/${id}`);
    for (const [id, { addresses }] of lineWatch?.states() ?? []) {
      const [range] = addresses.flatMap(({ reply }) => findRange(reply) ?? []);
      if (range !== undefined) ranges.set(id, range);
      for (const { address } of addresses) share(id, `port/${portOf(address)}`);
    }
    for (const [id, range] of ranges) {
      if (byId.has(id)) share(id, `range/${range}`);
      else ranges.delete(id);
    }
    return {
      lines: new Set(lines.map(({ id }) => `line/${id}`)),
      shared: new Map(
        [...shared].flatMap(([what, causes]) => (causes.size > 1 ? [[what, [...causes]] as const] : [])),
      ),
    };
  };
}

/** The address range of an answer: a /24, or a /48 of IPv6. */
function findRange(reply: LineReply): string | undefined {
  if (reply.kind !== 'answer' || reply.remoteAddress === undefined) return undefined;
  const address = parseAddress(reply.remoteAddress);
  return address && nameRange(address);
}
