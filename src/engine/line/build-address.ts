import type { HostEntry } from '../../contract/api/host-entry.ts';
import { type HostParts, type HostRefusal, parseHost } from '../../contract/site/parse-host.ts';

export type Address = {
  readonly kind: 'address';
  /** The one name of the host, however its entry is written. */
  readonly host: string;
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
};

export type AddressRules = {
  /** A host without a port gets one of these; an empty list adds none. */
  readonly ports: readonly number[];
  readonly random: () => number;
  /** Days since 1970-01-01 UTC. */
  readonly today: number;
};

const IP_OR_WWW = /^(?:www|\[|[\d.]+$)/;

/** Builds the address of a line host: scheme, a random port and the day's `www` name where they are missing. */
export function buildLineAddress(
  entry: HostEntry,
  { ports, random, today }: AddressRules,
): Address | HostRefusal {
  const { host, noWWW }: { readonly host: string; readonly noWWW?: boolean } =
    typeof entry === 'string' ? { host: entry } : entry;
  const parts = parseHost(host);
  if (parts.kind === 'refused') return parts;
  const prefix = noWWW || IP_OR_WWW.test(parts.hostname) ? '' : `www${today}.`;
  const hostname = prefix + parts.hostname;
  return formatAddress(parts, hostname, parts.port ?? ports[Math.floor(random() * ports.length)]);
}

/** Every address that a page may build for a line host today: one for each port that it may draw. */
export function listLineAddresses(
  entry: HostEntry,
  ports: readonly number[],
  today: number,
): readonly string[] {
  const draws = ports.length === 0 ? [[]] : ports.map((port) => [port]);
  const addresses = draws.flatMap((drawn) => {
    const built = buildLineAddress(entry, { ports: drawn, random: () => 0, today });
    return built.kind === 'address' ? [built.address] : [];
  });
  return [...new Set(addresses)];
}

/** Builds an address of a `/t` target, which gets the scheme where it is missing and nothing else. */
export function buildTargetAddress(entry: string): Address | HostRefusal {
  const parts = parseHost(entry);
  return parts.kind === 'refused' ? parts : formatAddress(parts, parts.hostname, parts.port);
}

function formatAddress(
  { host, scheme = 'https' }: HostParts,
  hostname: string,
  port: number | undefined,
): Address {
  return { kind: 'address', host, address: new URL(`${scheme}://${hostname}:${port ?? ''}`).origin };
}
