import type { HostEntry } from '../../contract/api/host-entry.ts';
import { type HostParts, type HostRefusal, parseHost } from '../../contract/site/parse-host.ts';

/** A host, and the address at which a page probes and enters it. */
export type Line = {
  /** The host's one name, however its entry is written. Results are kept under it. */
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

/** Builds the line of a host entry: scheme, a random port and the day's `www` name are added where they are missing. */
export function buildLine(
  { host, noWWW }: HostEntry,
  { ports, random, today }: AddressRules,
): Line | HostRefusal {
  const parts = parseHost(host);
  if (parts.kind === 'refused') return parts;
  const prefix = noWWW || IP_OR_WWW.test(parts.hostname) ? '' : `www${today}.`;
  const hostname = prefix + parts.hostname;
  return createLine(parts, hostname, parts.port ?? ports[Math.floor(random() * ports.length)]);
}

/** Builds the line of a `/t` target's host: it gets the scheme where that is missing, and nothing else. */
export function buildTargetLine(host: string): Line | HostRefusal {
  const parts = parseHost(host);
  return parts.kind === 'refused' ? parts : createLine(parts, parts.hostname, parts.port);
}

/** Lists every address that a page may build for a host entry today: one for each port that it may draw. */
export function listLineAddresses(
  entry: HostEntry,
  ports: readonly number[],
  today: number,
): readonly string[] {
  const draws = ports.length === 0 ? [[]] : ports.map((port) => [port]);
  const addresses = draws.flatMap((drawn) => {
    const line = buildLine(entry, { ports: drawn, random: () => 0, today });
    return 'address' in line ? [line.address] : [];
  });
  return [...new Set(addresses)];
}

function createLine({ host, scheme = 'https' }: HostParts, hostname: string, port: number | undefined): Line {
  return { host, address: new URL(`${scheme}://${hostname}:${port ?? ''}`).origin };
}
