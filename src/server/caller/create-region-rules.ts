import type { SiteConfig } from '../../contract/site/site-config.ts';
import { UNKNOWN_COUNTRY } from '../../contract/site/site-values.ts';
import { type Caller, type Connection, isThroughProxy } from './find-caller.ts';
import { type AddressDatabase, COUNTRY } from './open-address-database.ts';

export type RegionRules = {
  /** Two letters; `XX` if neither the CDN nor a database knows the country. */
  readonly countryOf: (caller: Caller, header: Connection['header']) => string | undefined;
  readonly isKnown: (caller: Caller, header: Connection['header']) => boolean;
  /** Whether a caller is in a region that the operator does not serve, or may be in one. */
  readonly isRestricted: (caller: Caller, header: Connection['header']) => boolean;
};

/** Takes a caller's country from the trusted CDN's header, or, if it has none, from a database. */
export function createRegionRules(
  { compliance, network }: Pick<SiteConfig, 'compliance' | 'network'>,
  database: AddressDatabase | undefined,
): RegionRules {
  const restricted = new Set(compliance.restrictedRegions);
  const countryHeader = network.countryHeader.toLowerCase();
  const isClosedToUnknown = network.unknownRegion === 'closed';

  const countryOf: RegionRules['countryOf'] = (caller, header) => {
    if (caller.kind === 'untold') return undefined;
    const named =
      isThroughProxy(caller) && countryHeader !== '' ? header(countryHeader)?.toUpperCase() : undefined;
    if (isKnownCountry(named)) return named;
    // The place of our own proxy says nothing about the visitor's country.
    const found = caller.kind === 'proxy' ? undefined : database?.countryOf(caller.address);
    const country = found ?? named;
    return isCountry(country) ? country : undefined;
  };
  return {
    countryOf,
    isKnown: (caller, header) => isKnownCountry(countryOf(caller, header)),
    isRestricted: (caller, header) => {
      if (restricted.size === 0) return false;
      const country = countryOf(caller, header);
      if (!isKnownCountry(country) && isClosedToUnknown) return true;
      return country !== undefined && restricted.has(country);
    },
  };
}

function isKnownCountry(code: string | undefined): code is string {
  return isCountry(code) && code !== UNKNOWN_COUNTRY;
}

/** Whether these are two letters, as countries have them. Only the operator's own list is compared with ISO 3166-1. */
function isCountry(code: string | undefined): code is string {
  return code !== undefined && COUNTRY.test(code);
}
