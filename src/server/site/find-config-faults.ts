import type { Rule } from '../../contract/faults/site-fault.ts';
import type { JsonFault } from '../../contract/site/find-json-faults.ts';
import { findTooManyDays } from '../../contract/site/offline-settings.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import { parseRange } from '../caller/address-ranges.ts';
import { isSystem } from '../caller/system-name.ts';
import { listCountryRules } from './find-campaign-faults.ts';
import { readPart } from './read-json.ts';

const NEEDS_COUNTRIES: Rule = { kind: 'needs-countries' };

/**
 * Finds what the schema of `site.json` cannot: ranges that are none, and keys that do not go together. The latter only if the
 * schema has found nothing, and there is a config.
 */
export function findConfigFaults(value: unknown, config: SiteConfig | undefined): readonly JsonFault[] {
  return [
    ...findRangeFaults(value, 'network', 'trustedProxies'),
    ...findRangeFaults(value, 'limits', 'exempt'),
    ...(config
      ? [
          ...findPolicyFaults(config),
          ...findDaysFaults(config),
          ...findRegionFaults(config),
          ...findCampaignFaults(config),
        ]
      : []),
  ];
}

function findRangeFaults(value: unknown, part: string, key: string): readonly JsonFault[] {
  const list = readPart(value, part)[key];
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).flatMap((range, index) => {
    if (typeof range !== 'string' || parseRange(range) !== undefined) return [];
    return [refuseValue([part, key, index], { kind: 'range' }, range)];
  });
}

/** Finds rules of lines that cannot be followed: ranges that are none, and countries and systems that nobody can tell. */
function findPolicyFaults(config: SiteConfig): readonly JsonFault[] {
  return config.lines.hosts.flatMap(({ countries, networks }, index) => {
    const path = ['lines', 'hosts', index] as const;
    const faults: JsonFault[] = [];
    if (listNames(countries).length > 0 && !hasCountries(config)) {
      faults.push({ code: 'no-countries', path: [...path, 'countries'], values: { rule: NEEDS_COUNTRIES } });
    }
    if (listNames(networks).some(isSystem) && !hasDatabase(config.network)) {
      const rule: Rule = { kind: 'needs-systems' };
      faults.push({ code: 'no-systems', path: [...path, 'networks'], values: { rule } });
    }
    for (const list of ['only', 'not'] as const) {
      for (const [place, network] of (networks?.[list] ?? []).entries()) {
        if (isSystem(network) || parseRange(network) !== undefined) continue;
        faults.push(refuseValue([...path, 'networks', list, place], { kind: 'network' }, network));
      }
    }
    return faults;
  });
}

function findDaysFaults(config: SiteConfig): readonly JsonFault[] {
  const most = findTooManyDays(config);
  if (most === undefined) return [];
  return [refuseValue(['offline', 'days'], { kind: 'offline-days', most }, config.offline.days)];
}

/** Finds that regions are restricted, but the site has no way to find a caller's country. */
function findRegionFaults(config: SiteConfig): readonly JsonFault[] {
  if (config.compliance.restrictedRegions.length === 0 || hasCountries(config)) return [];
  const path = ['compliance', 'restrictedRegions'];
  return [{ code: 'no-countries', path, values: { rule: NEEDS_COUNTRIES } }];
}

/** Finds rules of campaigns for countries that nobody can tell. */
function findCampaignFaults(config: SiteConfig): readonly JsonFault[] {
  if (hasCountries(config)) return [];
  return listCountryRules(config).map((path) => ({
    code: 'no-countries',
    path,
    values: { rule: NEEDS_COUNTRIES },
  }));
}

function refuseValue(path: JsonFault['path'], rule: Rule, found: unknown): JsonFault {
  return { code: 'invalid-value', path, values: { rule, got: JSON.stringify(found) } };
}

function hasCountries({ network }: SiteConfig): boolean {
  const hasHeader = network.countryHeader !== '' && network.trustedProxies.length > 0;
  return hasHeader || hasDatabase(network);
}

function hasDatabase({ mmdb }: SiteConfig['network']): boolean {
  return [mmdb].flat().some((path) => path !== '');
}

/** The countries, or the networks, that a rule of a line names. */
export function listNames(
  list: { only?: string[] | undefined; not?: string[] | undefined } = {},
): readonly string[] {
  return [...(list.only ?? []), ...(list.not ?? [])];
}
