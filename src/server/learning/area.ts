/**
 * Where visitors are counted together: a country, where it is known, and a network in it, such as "GB/AS2856",
 * "GB/198.51" or "/2001:db8". Never a person: a network is an autonomous system, a /16 (IPv4) or a /32 (IPv6).
 */
export type Area = string;

export function createArea(country: string | undefined, network: string): Area {
  return `${country ?? ''}/${network}`;
}

/** The network of an area. */
export function networkIn(area: Area): string {
  return area.slice(area.indexOf('/') + 1);
}

/** The country of an area; undefined where it is not known. */
export function countryOf(area: Area): string | undefined {
  return area.slice(0, area.indexOf('/')) || undefined;
}
