import type { Caller } from '../caller/find-caller.ts';
import { networkOf } from '../caller/parse-address.ts';
import type { Visit } from '../http/visit.ts';
import { type Area, createArea } from './area.ts';

/** Where no autonomous system is known, the /16 or the /32 of the caller stands for it. */
const NETWORK_PARTS = { ipv4: 2, ipv6: 2 };

/** Where a caller is counted. */
export function findArea(caller: Caller, { site, request }: Pick<Visit, 'site' | 'request'>): Area {
  const system = site.systemOf(caller.address);
  const network = system === undefined ? networkOf(caller.address, NETWORK_PARTS) : `AS${system}`;
  return createArea(site.regions.countryOf(caller, request.header), network);
}
