import type { ConsoleNetwork, ConsoleNetworks } from '../../contract/console.ts';

export const NETWORK_ORDERS = ['worst', 'name', 'latest'] as const;
export const LINE_ORDERS = ['site', 'worst', 'name'] as const;

/** line2 comes before line10. */
const names = new Intl.Collator('en', { numeric: true });

export type MapOrder = {
  readonly networks: (typeof NETWORK_ORDERS)[number];
  readonly lines: (typeof LINE_ORDERS)[number];
  readonly isGrouped: boolean;
};

/** A row of the map: one network, by its index, or the sum of those of a country, which follow it. */
export type MapRow =
  | { readonly kind: 'network'; readonly network: number }
  | ({ readonly kind: 'country'; readonly country: string; readonly size: number } & Pick<
      ConsoleNetwork,
      'reached' | 'lost'
    >);

/** Puts the lines and the networks of the map into an order. The server sends the worst networks first. */
export function orderNetworks(data: ConsoleNetworks, order: MapOrder): ConsoleNetworks {
  const networks = sortNetworks(data.networks, order);
  const places = sortLines(data, order.lines);
  const isAsSent = places.every((place, index) => place === index);
  const reorder = <Value>(values: readonly Value[]): readonly Value[] =>
    isAsSent ? values : places.flatMap((place) => values.slice(place, place + 1));
  const reorderCells = (network: ConsoleNetwork): ConsoleNetwork => ({
    ...network,
    reached: reorder(network.reached),
    lost: reorder(network.lost),
    timeMs: reorder(network.timeMs),
    failingSince: reorder(network.failingSince),
  });
  return { ...data, lines: reorder(data.lines), networks: networks.map(reorderCells) };
}

/** The rows of the map. With groups, each country has a row of its own above its networks. */
export function listRows({ networks, lines }: ConsoleNetworks, isGrouped: boolean): readonly MapRow[] {
  const rows = networks.map((_, network): MapRow => ({ kind: 'network', network }));
  if (!isGrouped) return rows;
  const grouped: MapRow[] = [];
  for (const [country, members] of groupByCountry(networks)) {
    grouped.push({ kind: 'country', country, size: members.length, ...sumCells(members, lines.length) });
    for (const member of members) grouped.push({ kind: 'network', network: networks.indexOf(member) });
  }
  return grouped;
}

/** The country of a network, as two letters. Empty if it is not known. */
function countryOf({ name }: Pick<ConsoleNetwork, 'name'>): string {
  return name.slice(0, name.indexOf('/'));
}

function sortNetworks(
  networks: readonly ConsoleNetwork[],
  { networks: by, isGrouped }: MapOrder,
): readonly ConsoleNetwork[] {
  const sorted =
    by === 'worst'
      ? networks
      : networks.toSorted((a, b) => (by === 'latest' ? b.seenAt - a.seenAt : names.compare(a.name, b.name)));
  return isGrouped ? [...groupByCountry(sorted).values()].flat() : sorted;
}

/** Which line is at each place. */
function sortLines({ lines, networks }: ConsoleNetworks, by: MapOrder['lines']): readonly number[] {
  const places = lines.map((_, line) => line);
  if (by === 'site') return places;
  if (by === 'name')
    return places.toSorted((a, b) => names.compare(lines[a]?.host ?? '', lines[b]?.host ?? ''));
  const { reached, lost } = sumCells(networks, lines.length);
  const failing = places.map(
    (line) => networks.filter(({ failingSince }) => (failingSince[line] ?? null) !== null).length,
  );
  const lostPart = places.map((line) => {
    const tries = (reached[line] ?? 0) + (lost[line] ?? 0);
    return tries === 0 ? 0 : (lost[line] ?? 0) / tries;
  });
  return places.toSorted(
    (a, b) => (failing[b] ?? 0) - (failing[a] ?? 0) || (lostPart[b] ?? 0) - (lostPart[a] ?? 0),
  );
}

/** The countries in the order of their first networks. */
function groupByCountry(networks: readonly ConsoleNetwork[]): ReadonlyMap<string, readonly ConsoleNetwork[]> {
  const groups = new Map<string, ConsoleNetwork[]>();
  for (const network of networks) {
    const country = countryOf(network);
    const group = groups.get(country) ?? [];
    group.push(network);
    groups.set(country, group);
  }
  return groups;
}

function sumCells(
  networks: readonly ConsoleNetwork[],
  lines: number,
): Pick<ConsoleNetwork, 'reached' | 'lost'> {
  const sum = (key: 'reached' | 'lost'): readonly number[] =>
    Array.from({ length: lines }, (_, line) =>
      networks.reduce((total, network) => total + (network[key][line] ?? 0), 0),
    );
  return { reached: sum('reached'), lost: sum('lost') };
}
