import { BlockList, isIPv4 } from 'node:net';

/** Ranges of this machine, of private networks, and of what is no single machine: RFC 6890, and what leads to them. */
const IPV4_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Clouds answer with their machines' passwords at 169.254.169.254.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** With those that carry an address of IPv4 inside: translated, tunnelled, or mapped. */
const IPV6_RANGES = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

/** Whether an address belongs to a machine on the internet, as far as its number tells. */
export function createPublicAddressTest(): (address: string) => boolean {
  // One for each family: in a common one, the range of mapped addresses would be all of IPv4.
  const [blockedIpv4, blockedIpv6] = [new BlockList(), new BlockList()];
  for (const range of IPV4_RANGES) blockedIpv4.addSubnet(...splitRange(range), 'ipv4');
  for (const range of IPV6_RANGES) blockedIpv6.addSubnet(...splitRange(range), 'ipv6');
  return (address) => {
    const [plain = ''] = address.split('%', 1);
    return isIPv4(plain) ? !blockedIpv4.check(plain, 'ipv4') : !blockedIpv6.check(plain, 'ipv6');
  };
}

function splitRange(range: string): [net: string, bits: number] {
  const [net = '', bits] = range.split('/');
  return [net, Number(bits)];
}
