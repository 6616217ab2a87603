import type { AppRequest } from '../http/exchange.ts';
import { type Address, parseAddress } from './parse-address.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

type Connection = Pick<AppRequest, 'peerAddress' | 'header'>;

export type CallerRules = {
  readonly proxies: TrustedProxies;
  /** A header in which the operator's CDN names the caller; empty where there is none. */
  readonly clientAddressHeader: string;
};

export type Caller = {
  readonly address: Address;
  /** True where a trusted proxy brought the request, and its other headers may be believed too. */
  readonly isProxied: boolean;
};

// A socket that has just been torn down no longer knows its other end.
const UNKNOWN: Address = { text: '0.0.0.0', family: 'ipv4' };

/** Finds out who calls: the socket's other end, or whom the operator's own proxies say they speak for. */
export function findCaller({ peerAddress, header }: Connection, rules: CallerRules): Caller {
  const peer = parseAddress(peerAddress) ?? UNKNOWN;
  if (!rules.proxies.has(peer)) return { address: peer, isProxied: false };
  return { address: findProxiedAddress(peer, header, rules), isProxied: true };
}

function findProxiedAddress(peer: Address, header: Connection['header'], rules: CallerRules): Address {
  if (rules.clientAddressHeader !== '') {
    return parseAddress(header(rules.clientAddressHeader)?.trim() ?? '') ?? peer;
  }
  const listed = header('x-forwarded-for');
  const forwarded = header('forwarded');
  const fromList = listed && walkBack(peer, listed.split(','), rules.proxies);
  const fromForwarded = forwarded && walkBack(peer, forwarded.split(',').map(readForElement), rules.proxies);
  if (fromList && fromForwarded && fromList.text !== fromForwarded.text) {
    // A proxy writes one of the two and lets the other pass from the caller. Which is which cannot be told
    // from here, so neither is believed.
    return peer;
  }
  return fromList || fromForwarded || peer;
}

/** Reads hops from the right, where our own proxies wrote, up to the first address that is not ours. */
function walkBack(peer: Address, hops: readonly string[], proxies: TrustedProxies): Address {
  let nearest = peer;
  for (let place = hops.length - 1; place >= 0; place -= 1) {
    const address = parseAddress(hops[place]?.trim() ?? '');
    if (address === undefined) return nearest;
    nearest = address;
    // Whose the first one is makes no difference: there is nobody behind it.
    if (place > 0 && !proxies.has(address)) return address;
  }
  return nearest;
}

/** The node of one element of `Forwarded` (RFC 7239), `for="[2001:db8::1]:80";proto=https`. */
function readForElement(element: string): string {
  return /(?:^|;)\s*for="?([^";]+)"?/i.exec(element)?.[1] ?? '';
}
