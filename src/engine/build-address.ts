import type { HostEntry } from '../contract/host-entry.ts';
import { type HostRefusal, parseHost } from '../contract/parse-host.ts';

export type Address = {
  readonly kind: 'address';
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

/** Builds the address of a line host: scheme, a random port and the day's `www` name where they are missing. */
export function buildLineAddress(
  entry: HostEntry,
  { ports, random, today }: AddressRules,
): Address | HostRefusal {
  const { host, noWWW = false } = typeof entry === 'string' ? { host: entry } : entry;
  const parts = parseHost(host);
  if (parts.kind === 'refused') return parts;
  const needsPrefix = !noWWW && !parts.isIp && !parts.hostname.startsWith('www');
  const hostname = needsPrefix ? `www${today}.${parts.hostname}` : parts.hostname;
  return formatAddress(parts.scheme, hostname, parts.port ?? ports[Math.floor(random() * ports.length)]);
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
  return parts.kind === 'refused' ? parts : formatAddress(parts.scheme, parts.hostname, parts.port);
}

function formatAddress(scheme = 'https', hostname: string, port: number | undefined): Address {
  const url = new URL(`${scheme}://${hostname}`);
  url.port = port === undefined ? '' : String(port);
  return { kind: 'address', address: url.origin };
}
