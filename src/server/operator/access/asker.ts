import type { Connection } from '../../caller/find-caller.ts';
import { type IpAddress, networkOf } from '../../caller/parse-address.ts';
import { readConnection } from '../../http/create-app.ts';
import type { VisitContext } from '../../portal/visit.ts';

/** Who asks the operator's listener, before anything is known about their rights. */
export type Asker = Connection & {
  /** True over TLS, here or at a trusted proxy. */
  readonly isSecure: boolean;
  /** Whose tries are counted: the caller's address, or a /64 of IPv6. */
  readonly caller: string;
  /** The address range in the audit log, such as `203.0.113.0/24`. */
  readonly prefix: string;
};

/** A caller over IPv6 has a /64 to itself. */
const CALLER_PARTS = { ipv4: 4, ipv6: 4 };
const PREFIX_PARTS = { ipv4: 3, ipv6: 3 };

export function readAsker(c: VisitContext): Asker {
  const { caller, isSecure } = c.get('visit');
  return {
    ...readConnection(c),
    isSecure,
    caller: networkOf(caller.address, CALLER_PARTS),
    prefix: namePrefix(caller.address),
  };
}

function namePrefix(address: IpAddress): string {
  const parts = networkOf(address, PREFIX_PARTS);
  return address.family === 'ipv4' ? `${parts}.0/24` : `${parts}::/48`;
}
