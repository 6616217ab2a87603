import type { JsonFault } from '../../contract/site/describe-issues.ts';
import { explainKeepDays } from '../../contract/site/offline-settings.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import { parseRange } from '../caller/address-ranges.ts';
import { readPart } from './read-json.ts';

const NEEDS_COUNTRIES =
  "needs a way to tell a caller's country: set network.mmdb, or network.countryHeader together with network.trustedProxies";

/**
 * Finds what the schema of `site.json` cannot: ranges that are none, and keys that do not go together. The latter only if the
 * schema has found nothing, and there is a config.
 */
export function findConfigFaults(value: unknown, config: SiteConfig | undefined): readonly JsonFault[] {
  return [
    ...findRangeFaults(value, 'network', 'trustedProxies'),
    ...findRangeFaults(value, 'limits', 'exempt'),
    ...(config ? [...findPolicyFaults(config), ...findDaysFaults(config), ...findRegionFaults(config)] : []),
  ];
}

function findRangeFaults(value: unknown, part: string, key: string): readonly JsonFault[] {
  const list = readPart(value, part)[key];
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((range, index) => {
    if (typeof range !== 'string' || parseRange(range) !== undefined) return [];
    const message = `${part}.${key}[${index}] must be a range such as "10.0.0.0/8", got "${range}"`;
    return [{ code: 'invalid-value', path: [part, key, index], message }];
  });
}

/** Finds rules of lines that cannot be followed: ranges that are none, and countries and systems that nobody can tell. */
function findPolicyFaults(config: SiteConfig): readonly JsonFault[] {
  return config.lines.hosts.flatMap(({ countries, networks }, index) => {
    const path = ['lines', 'hosts', index] as const;
    const name = `lines.hosts[${index}]`;
    const faults: JsonFault[] = [];
    if (listNames(countries).length > 0 && !hasCountries(config)) {
      const message = `${name}.countries ${NEEDS_COUNTRIES}`;
      faults.push({ code: 'no-countries', path: [...path, 'countries'], message });
    }
    if (listNames(networks).some(isSystem) && !hasDatabase(config.network)) {
      const message = `${name}.networks names autonomous systems, and nothing tells those of a caller: set network.mmdb, or write ranges such as "203.0.113.0/24"`;
      faults.push({ code: 'no-systems', path: [...path, 'networks'], message });
    }
    for (const list of ['only', 'not'] as const) {
      for (const [place, network] of (networks?.[list] ?? []).entries()) {
        if (isSystem(network) || parseRange(network) !== undefined) continue;
        const message = `${name}.networks.${list}[${place}] must be a network such as "AS64500" or "203.0.113.0/24", got "${network}"`;
        faults.push({ code: 'invalid-value', path: [...path, 'networks', list, place], message });
      }
    }
    return faults;
  });
}

function findDaysFaults(config: SiteConfig): readonly JsonFault[] {
  const fault = explainKeepDays(config);
  if (fault === undefined) return [];
  return [{ code: 'invalid-value', path: ['offline', 'days'], message: `offline.days ${fault}` }];
}

/** Finds that regions are restricted, but the site has no way to find a caller's country. */
function findRegionFaults(config: SiteConfig): readonly JsonFault[] {
  if (config.compliance.restrictedRegions.length === 0 || hasCountries(config)) return [];
  const message = `compliance.restrictedRegions ${NEEDS_COUNTRIES}`;
  return [{ code: 'no-countries', path: ['compliance', 'restrictedRegions'], message }];
}

function hasCountries({ network }: SiteConfig): boolean {
  const hasHeader = network.countryHeader !== '' && network.trustedProxies.length > 0;
  return hasHeader || hasDatabase(network);
}

function hasDatabase({ mmdb }: SiteConfig['network']): boolean {
  return [mmdb].flat().some((path) => path !== '');
}

function listNames(
  list: { only?: string[] | undefined; not?: string[] | undefined } = {},
): readonly string[] {
  return [...(list.only ?? []), ...(list.not ?? [])];
}

function isSystem(network: string): boolean {
  return network.startsWith('AS');
}
