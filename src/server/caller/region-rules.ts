import type { SiteConfig } from '../../contract/site-config.ts';
import type { AppRequest } from '../http/exchange.ts';
import type { Caller } from './find-caller.ts';
import type { Address } from './parse-address.ts';

/** Tells the country of an address, where it is known. */
export type CountryDatabase = { readonly countryOf: (address: Address) => string | undefined };

export type RegionRules = {
  /** Whether a caller is in a region that the operator does not serve. */
  readonly isRestricted: (caller: Caller, header: AppRequest['header']) => boolean;
};

/** Decides by the trusted CDN's word about a caller's country, or by a country database, whichever is configured. */
export function createRegionRules(
  { compliance, network }: Pick<SiteConfig, 'compliance' | 'network'>,
  database: CountryDatabase | undefined,
): RegionRules {
  const restricted = new Set(compliance.restrictedRegions);
  if (restricted.size === 0) return { isRestricted: () => false };
  const countryHeader = network.countryHeader.toLowerCase();
  return {
    isRestricted: (caller, header) => {
      const named =
        caller.isProxied && countryHeader !== '' ? header(countryHeader)?.toUpperCase() : undefined;
      const country = named ?? database?.countryOf(caller.address);
      return country !== undefined && restricted.has(country);
    },
  };
}
