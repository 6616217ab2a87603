import type { Rule } from '../../contract/faults/site-fault.ts';
import { closestName } from '../../contract/site/closest-name.ts';
import { readCampaignEnd } from '../../contract/site/campaign-ends.ts';
import type { JsonFault } from '../../contract/site/find-json-faults.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import type { Site } from './parse-site.ts';

type Path = JsonFault['path'];

/** Finds links that end at a target which the site does not have. */
export function findUnknownTargets(config: SiteConfig, targets: Site['targets']): readonly JsonFault[] {
  const known = [...targets.keys()];
  return listEnds(config).flatMap(({ path, to }) => {
    const end = readCampaignEnd(to);
    if (end?.kind !== 'target' || targets.has(end.target)) return [];
    const rule: Rule = { kind: 'known-target', known, meant: closestName(end.target, known) };
    return [{ code: 'invalid-value', path, values: { rule, got: JSON.stringify(to) } }];
  });
}

/** Finds links that end at a link which the links config lacks: their visitors get the landing page. */
export function findMissingLinks(config: SiteConfig, links: Site['links']): readonly JsonFault[] {
  return listEnds(config).flatMap(({ path, to }) => {
    const end = readCampaignEnd(to);
    if (end?.kind !== 'link' || links[end.link] !== undefined) return [];
    const rule: Rule = { kind: 'link-missing', name: end.link };
    return [{ code: 'missing-link', path, values: { rule } }];
  });
}

/** Where campaigns have rules by country. */
export function listCountryRules({ campaigns }: SiteConfig): readonly Path[] {
  return Object.entries(campaigns).flatMap(([code, { by }]) =>
    by.flatMap(({ country }, index) => (country ? [['campaigns', code, 'by', index, 'country']] : [])),
  );
}

function listEnds({ campaigns }: SiteConfig): readonly { readonly path: Path; readonly to: string }[] {
  const ends: { path: Path; to: string }[] = [];
  for (const [code, campaign] of Object.entries(campaigns)) {
    ends.push({ path: ['campaigns', code, 'to'], to: campaign.to });
    for (const [index, { to }] of campaign.by.entries()) {
      if (to) ends.push({ path: ['campaigns', code, 'by', index, 'to'], to });
    }
  }
  return ends;
}
