import type { SiteConfig } from '../../contract/site-config.ts';

/** Lists what `waypost serve` does for this site and plain files cannot do, one sentence each. */
export function listLosses({ lines, network }: SiteConfig): readonly string[] {
  const unused = listUnusedKeys({ lines, network });
  return [
    `lines.hosts: none of its ${lines.hosts.length} is used. Every page shows the four hosts of lines.fallback.`,
    'There is no /api: nothing is measured, learned or limited, and there is no console.',
    'Regions cannot be told apart: everyone gets the same pages.',
    'The host does not guard /t: only the page itself does.',
    ...(unused.length === 0
      ? []
      : [`Without effect, because only the server reads them: ${unused.join(', ')}.`]),
  ];
}

/** The keys that the operator has set for the server alone. */
function listUnusedKeys({ lines, network }: Pick<SiteConfig, 'lines' | 'network'>): readonly string[] {
  const hasWeights = lines.hosts.some((host) => typeof host === 'object' && host.weight !== undefined);
  const { unknownRegion, ...lists } = network;
  const networkKeys = Object.entries(lists).flatMap(([key, value]) =>
    value.length > 0 ? [`network.${key}`] : [],
  );
  return [
    ...(hasWeights ? ['lines.hosts[].weight'] : []),
    ...(lines.steering === 'uniform' ? ['lines.steering'] : []),
    ...networkKeys,
    ...(unknownRegion === 'open' ? ['network.unknownRegion'] : []),
  ];
}
