import type { Connection } from '../../caller/find-caller.ts';
import { type IpAddress, nameCaller, namePrefix } from '../../caller/parse-address.ts';
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

export function readAsker(c: VisitContext): Asker {
  const { caller, isSecure } = c.get('visit');
  return {
    ...readConnection(c),
    isSecure,
    caller: nameCaller(caller.address),
    prefix: writeRange(caller.address),
  };
}

function writeRange(address: IpAddress): string {
  const prefix = namePrefix(address);
  return address.family === 'ipv4' ? `${prefix}.0/24` : `${prefix}::/48`;
}
