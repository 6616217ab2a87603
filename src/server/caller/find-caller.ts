import { type IpAddress, parseAddress } from './parse-address.ts';
import type { AddressRanges } from './address-ranges.ts';

/** The parts of a request that say who sent it. */
export type Connection = {
  /** The address of the socket's other end. */
  readonly peerAddress: string;
  /** True if the socket itself speaks TLS. */
  readonly isEncrypted: boolean;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
};

export type CallerRules = {
  readonly proxies: AddressRanges;
  /** A header in which the operator's CDN names the caller; empty if there is none. */
  readonly clientAddressHeader: string;
};

/**
 * How the caller's address was found:
 * - `direct`: it is the other end of the connection, without a proxy in between.
 * - `proxied`: a trusted proxy named it.
 * - `proxy`: a trusted proxy named nobody. It is the proxy's own address, and says nothing about a visitor.
 * - `untold`: a trusted proxy's headers contradict each other or are unreadable. It is the proxy's own address, for limits only.
 */
export type CallerKind = 'direct' | 'proxied' | 'proxy' | 'untold';

export type Caller = { readonly kind: CallerKind; readonly address: IpAddress };

// A socket that has just been torn down no longer knows its other end.
const UNKNOWN: IpAddress = { text: '0.0.0.0', family: 'ipv4' };

/** Finds the caller: the socket's other end, or the address that the operator's own proxies name. */
export function findCaller(
  { peerAddress, header }: Pick<Connection, 'peerAddress' | 'header'>,
  rules: CallerRules,
): Caller {
  const peer = parseAddress(peerAddress) ?? UNKNOWN;
  if (!rules.proxies.has(peer)) return { kind: 'direct', address: peer };
  const named = readNamedAddress(header, rules);
  switch (named) {
    case 'nobody':
      return { kind: 'proxy', address: peer };
    case 'unreadable':
      return { kind: 'untold', address: peer };
    default:
      return { kind: 'proxied', address: named };
  }
}

/** Whether a request came through one of the operator's own proxies, so that its other headers may be believed, too. */
export function isThroughProxy({ kind }: Caller): boolean {
  return kind !== 'direct';
}

/** Whether the caller's own connection is encrypted. It ends here, or at a trusted proxy. */
export function isSecure({ isEncrypted, header }: Connection, caller: Caller): boolean {
  return isEncrypted || (isThroughProxy(caller) && readProxiedScheme(header) === 'https');
}

type Named = IpAddress | 'nobody' | 'unreadable';

function readProxiedScheme(header: Connection['header']): string | undefined {
  const forwarded = header('forwarded');
  const scheme =
    header('x-forwarded-proto')?.split(',')[0] ?? (forwarded && /proto="?(\w+)/i.exec(forwarded)?.[1]);
  return scheme?.trim().toLowerCase();
}

function readNamedAddress(header: Connection['header'], rules: CallerRules): Named {
  if (rules.clientAddressHeader !== '') {
    // The CDN always sends it: a request without it did not come through the CDN.
    return parseAddress(header(rules.clientAddressHeader)?.trim() ?? '') ?? 'unreadable';
  }
  const fromList = walkBack(header('x-forwarded-for')?.split(','), rules.proxies);
  const fromForwarded = walkBack(header('forwarded')?.split(',').map(readForElement), rules.proxies);
  if (fromList === 'nobody') return fromForwarded;
  if (fromForwarded === 'nobody') return fromList;
  if (fromList === 'unreadable' || fromForwarded === 'unreadable') return 'unreadable';
  // A proxy writes one of the two headers, and passes the other on as the caller sent it. The server cannot know which one,
  // so it believes neither.
  return fromList.text === fromForwarded.text ? fromList : 'unreadable';
}

/** Reads the hops from the right, because our own proxies write there. The first address that is not ours is the caller. */
function walkBack(hops: readonly string[] | undefined, proxies: AddressRanges): Named {
  let farthest: Named = 'nobody';
  for (const hop of hops?.toReversed() ?? []) {
    const address = parseAddress(copyPiece(hop.trim()));
    if (address === undefined) return 'unreadable';
    if (!proxies.has(address)) return address;
    farthest = address;
  }
  return farthest;
}

/** Addresses are remembered. In V8 a piece of a header is a view of it, and would keep all of its 8 KB in memory. */
function copyPiece(piece: string): string {
  return Buffer.from(piece).toString();
}

/** The node of one element of `Forwarded` (RFC 7239), `for="[2001:db8::1]:80";proto=https`. */
function readForElement(element: string): string {
  return /(?:^|;)\s*for="?([^";]+)"?/i.exec(element)?.[1] ?? '';
}
