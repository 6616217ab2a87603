import { isIPv4, isIPv6 } from 'node:net';

export type IpAddress = {
  /** In canonical form, so that one caller is one text. */
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
};

const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;
const MAPPED_IPV4 = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Reads an IP address in any form that sockets and proxies write: bare, bracketed, with a port, with a zone. */
export function parseAddress(given: string): IpAddress | undefined {
  if (isIPv4(given)) return { text: given, family: 'ipv4' };
  const [, bracketed, plain] = WITH_PORT.exec(given) ?? [];
  const [bare = ''] = (bracketed ?? plain ?? given).split('%', 1);
  if (isIPv4(bare) && bracketed === undefined) return { text: bare, family: 'ipv4' };
  return isIPv6(bare) ? parseIpv6(bare) : undefined;
}

/**
 * What the limits take for one caller: an address of IPv4, or a /64 of IPv6. A caller has a /64 to itself, and could take a new
 * address for each request.
 */
export function nameCaller(address: IpAddress): string {
  return takeParts(address, 4);
}

/** The prefix of an address: its /24 or /48. */
export function namePrefix(address: IpAddress): string {
  return takeParts(address, 3);
}

/** The same prefix, as people write it: `203.0.113.0/24` or `2001:db8:1::/48`. */
export function nameRange(address: IpAddress): string {
  const prefix = namePrefix(address);
  return address.family === 'ipv4' ? `${prefix}.0/24` : `${prefix}::/48`;
}

/** Stands for the network of an address if its autonomous system is not known: the /16 or /32. */
export function nameWidePrefix(address: IpAddress): string {
  return takeParts(address, 2);
}

/** The first `count` parts of an address: octets of IPv4, or 16-bit groups of IPv6. */
function takeParts(address: IpAddress, count: number): string {
  if (address.family === 'ipv6') return expandGroups(address.text).slice(0, count).join(':');
  let end = -1;
  for (let octets = 0; octets < count; octets += 1) {
    end = address.text.indexOf('.', end + 1);
    if (end === -1) return address.text;
  }
  return address.text.slice(0, end);
}

function parseIpv6(bare: string): IpAddress {
  // The platform's URL parser writes the one canonical form of RFC 5952.
  const text = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_IPV4.exec(text) ?? [];
  if (high === undefined || low === undefined) return { text, family: 'ipv6' };
  const octets = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return { text: octets.join('.'), family: 'ipv4' };
}

function expandGroups(canonical: string): string[] {
  const [before = '', after] = canonical.split('::');
  const head = before === '' ? [] : before.split(':');
  if (after === undefined) return head;
  const tail = after === '' ? [] : after.split(':');
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
