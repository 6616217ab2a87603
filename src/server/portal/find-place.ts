import type { Caller } from '../caller/find-caller.ts';
import { type IpAddress, nameWidePrefix } from '../caller/parse-address.ts';
import type { Visit } from './visit.ts';
import type { Visitor } from '../site/create-line-policy.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type Area, createArea } from '../learning/area.ts';
import { nameSystem } from '../caller/system-name.ts';

/** Where a caller is counted, and what decides which lines they may have. */
export type Place = { readonly area: Area; readonly visitor: Visitor };

/** Finds the area of a caller, and what lines may ask of a visitor: country, system, address. */
export function findPlace(caller: Caller, { site, header }: Pick<Visit, 'site' | 'header'>): Place {
  const { address, kind } = caller;
  const country = site.regions.countryOf(caller, header);
  const system = site.systemOf(address);
  // The address of our own proxy says nothing about the visitor.
  const isKnown = kind === 'direct' || kind === 'proxied';
  return {
    area: createArea(country, nameNetwork(address, system)),
    visitor: isKnown ? { country, system, address } : { country, system: undefined, address: undefined },
  };
}

/** The network that an address belongs to: its autonomous system, or its /16 or /32. */
export function findNetwork(address: IpAddress, { systemOf }: Pick<PublishedSite, 'systemOf'>): string {
  return nameNetwork(address, systemOf(address));
}

function nameNetwork(address: IpAddress, system: number | undefined): string {
  return system === undefined ? nameWidePrefix(address) : nameSystem(system);
}
