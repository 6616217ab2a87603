import { BlockList, isIPv4 } from 'node:net';

/**
 * Ranges that are no public machine: this machine, private networks, documentation and tests, multicast and reserved.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const BLOCKED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Clouds answer with their machines' passwords at 169.254.169.254.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * All that is given to machines on the internet. Outside of it are loopback, private and link-local addresses, and most of those
 * that carry an address of IPv4 inside: mapped, translated, or for NAT64.
 * https://www.iana.org/assignments/ipv6-address-space
 */
const GLOBAL_IPV6 = '2000::/3';
/** https://www.iana.org/assignments/iana-ipv6-special-registry */
const BLOCKED_IPV6 = [
  // Among others Teredo, which carries an address of IPv4 inside.
  '2001::/23',
  '2001:db8::/32',
  // 6to4, which also carries an IPv4 address.
  '2002::/16',
  '3fff::/20',
];

/** Whether an address belongs to a machine on the internet, as far as its number tells. */
export function createPublicAddressTest(): (address: string) => boolean {
  // One list for each family, because in a shared list an IPv6 range could match all of IPv4.
  const blockedIpv4 = createList('ipv4', BLOCKED_IPV4);
  const globalIpv6 = createList('ipv6', [GLOBAL_IPV6]);
  const blockedIpv6 = createList('ipv6', BLOCKED_IPV6);
  return (address) => {
    const [plain = ''] = address.split('%', 1);
    if (isIPv4(plain)) return !blockedIpv4.check(plain, 'ipv4');
    return globalIpv6.check(plain, 'ipv6') && !blockedIpv6.check(plain, 'ipv6');
  };
}

function createList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}
