import type { LineMaintenance, SiteConfig } from '../../contract/site/site-config.ts';
import { type AddressRanges, createForgetfulRanges } from '../caller/address-ranges.ts';
import type { IpAddress } from '../caller/parse-address.ts';
import { findOrAdd } from '../process/find-or-add.ts';
import { findMaintenance } from './time-windows.ts';
import { isSystem, parseSystem } from '../caller/system-name.ts';

/** Who asks for lines. What is not known of them is undefined. */
export type Visitor = {
  readonly country: string | undefined;
  /** The number of their autonomous system. */
  readonly system: number | undefined;
  readonly address: IpAddress | undefined;
  /** The id of the line that they entered last. */
  readonly heldId?: string | undefined;
};

/** Why a visitor may not be handed a line. */
export type Exclusion = 'maintenance' | 'countries' | 'networks' | 'drain';

/** Who may be handed a line, and when. */
export type LinePolicy = {
  readonly id: string;
  readonly maintenance: readonly LineMaintenance[];
  /** Nobody new gets it. */
  readonly isDrained: boolean;
  readonly countries: { readonly only: ReadonlySet<string>; readonly not: ReadonlySet<string> };
  readonly networks: { readonly only: NetworkList; readonly not: NetworkList };
};

type NetworkList = {
  readonly size: number;
  readonly systems: ReadonlySet<number>;
  readonly ranges: AddressRanges;
  readonly hasRanges: boolean;
};

type HostConfig = SiteConfig['lines']['hosts'][number];

/** For this many addresses the lines that they exclude are remembered. */
const MAX_ADDRESSES = 10_000;
const NOWHERE: ReadonlyMap<number, Exclusion> = new Map();
/** Of nearly all lines: two lists of their own for each of 1,000 took most of the time of a new version. */
const NO_NETWORKS: NetworkList = {
  size: 0,
  systems: new Set(),
  ranges: { has: () => false },
  hasRanges: false,
};

export function createLinePolicy(id: string, config: Omit<HostConfig, 'host'>): LinePolicy {
  const { maintenance = [], drain = false, countries, networks } = config;
  return {
    id,
    maintenance,
    isDrained: drain,
    countries: { only: new Set(countries?.only), not: new Set(countries?.not) },
    networks: { only: readNetworks(networks?.only), not: readNetworks(networks?.not) },
  };
}

/** Finds the lines that a visitor may not be handed at a moment, each with its reason, by their place in the list. */
export type FindExclusions = (visitor: Visitor, at: number) => ReadonlyMap<number, Exclusion>;

/**
 * Checks the lines of a site for each visitor. Which lines a visitor's country and network exclude is remembered, because
 * the ranges of 200 lines take longer than all the rest of an answer.
 */
export function createFindExclusions(policies: readonly LinePolicy[]): FindExclusions {
  const timed = [...policies.entries()].filter(
    ([, { isDrained, maintenance }]) => isDrained || maintenance.length > 0,
  );
  const placed = [...policies.entries()].filter(([, policy]) => hasPlaces(policy));
  const known = new Map<string, ReadonlyMap<number, Exclusion>>();
  // Most visitors are excluded from the same lines, so these are kept once.
  const shared = new Map<string, ReadonlyMap<number, Exclusion>>();

  return (visitor, at) => {
    const byPlace = placed.length === 0 ? NOWHERE : findByPlace(visitor);
    if (timed.length === 0) return byPlace;
    const exclusions = new Map(byPlace);
    for (const [place, policy] of timed) {
      const exclusion = findExclusionNow(policy, visitor, at);
      if (exclusion !== undefined) exclusions.set(place, exclusion);
    }
    return exclusions;
  };

  function findByPlace(visitor: Visitor): ReadonlyMap<number, Exclusion> {
    const { country = '', system = '', address } = visitor;
    const key = `${country} ${system} ${address?.text ?? ''}`;
    let found = known.get(key);
    if (found === undefined) {
      if (known.size >= MAX_ADDRESSES) {
        known.clear();
        shared.clear();
      }
      found = share(listByPlace(visitor));
      known.set(key, found);
    }
    return found;
  }

  function listByPlace(visitor: Visitor): readonly (readonly [place: number, Exclusion])[] {
    return placed.flatMap(([place, policy]) => {
      const exclusion = findExclusionByPlace(policy, visitor);
      return exclusion === undefined ? [] : [[place, exclusion] as const];
    });
  }

  function share(exclusions: ReturnType<typeof listByPlace>): ReadonlyMap<number, Exclusion> {
    return findOrAdd(shared, exclusions.join(' '), () => new Map(exclusions));
  }
}

/** What the moment, or the visitor's last visit, decides. */
function findExclusionNow(
  { id, maintenance, isDrained }: LinePolicy,
  { heldId }: Visitor,
  at: number,
): Exclusion | undefined {
  if (findMaintenance(maintenance, at)) return 'maintenance';
  return isDrained && heldId !== id ? 'drain' : undefined;
}

/** What the visitor's country and network decide. An unknown visitor is in no list: `only` excludes them, `not` does not. */
function findExclusionByPlace({ countries, networks }: LinePolicy, visitor: Visitor): Exclusion | undefined {
  const { country = '' } = visitor;
  const isElsewhere = countries.only.size > 0 && !countries.only.has(country);
  if (isElsewhere || countries.not.has(country)) return 'countries';
  const isOutside = networks.only.size > 0 && !isIn(networks.only, visitor);
  return isOutside || isIn(networks.not, visitor) ? 'networks' : undefined;
}

function isIn({ systems, ranges }: NetworkList, { system, address }: Visitor): boolean {
  return (system !== undefined && systems.has(system)) || (address !== undefined && ranges.has(address));
}

function hasPlaces({ countries, networks }: LinePolicy): boolean {
  return [countries.only, countries.not, networks.only, networks.not].some(({ size }) => size > 0);
}

function readNetworks(names: readonly string[] = []): NetworkList {
  if (names.length === 0) return NO_NETWORKS;
  const systems = names.flatMap((name) => parseSystem(name) ?? []);
  const ranges = names.filter((name) => !isSystem(name));
  return {
    size: names.length,
    systems: new Set(systems),
    ranges: createForgetfulRanges(ranges),
    hasRanges: ranges.length > 0,
  };
}
