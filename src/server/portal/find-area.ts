import type { Caller } from '../caller/find-caller.ts';
import { type IpAddress, networkOf } from '../caller/parse-address.ts';
import type { Visit } from './visit.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type Area, createArea } from '../learning/area.ts';

/** If no autonomous system is known, the /16 or the /32 of the caller takes its place. */
const NETWORK_PARTS = { ipv4: 2, ipv6: 2 };

/** Where a caller is counted. */
export function findArea(caller: Caller, { site, header }: Pick<Visit, 'site' | 'header'>): Area {
  return createArea(site.regions.countryOf(caller, header), findNetwork(caller.address, site));
}

/** The network that an address belongs to: its autonomous system, or its /16 or /32. */
export function findNetwork(address: IpAddress, { systemOf }: Pick<PublishedSite, 'systemOf'>): string {
  const system = systemOf(address);
  return system === undefined ? networkOf(address, NETWORK_PARTS) : `AS${system}`;
}
