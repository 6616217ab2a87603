import { BlockList } from 'node:net';
import { remember } from './remember.ts';
import { type IpAddress, parseAddress } from './parse-address.ts';

export type AddressRange = { readonly address: IpAddress; readonly bits: number };

export type AddressRanges = { readonly has: (address: IpAddress) => boolean };

/** Reads a range such as "10.0.0.0/8"; an address alone is a range of one. */
export function parseRange(given: string): AddressRange | undefined {
  const [base = '', bits, ...rest] = given.split('/');
  const address = parseAddress(base);
  // A header may have a port, a zone or brackets. In a range they are a mistake.
  if (address === undefined || rest.length > 0 || /[[\]%]|\.\d+:/.test(base)) return undefined;
  const most = address.family === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits) } : undefined;
}

/** Tells which addresses are in any of these ranges, and remembers it. Ranges that cannot be read are left out. */
export function createAddressRanges(ranges: readonly string[]): AddressRanges {
  const { has } = createForgetfulRanges(ranges);
  const isIpv4Member = remember((text) => has({ text, family: 'ipv4' }));
  const isIpv6Member = remember((text) => has({ text, family: 'ipv6' }));
  return { has: ({ text, family }) => (family === 'ipv4' ? isIpv4Member(text) : isIpv6Member(text)) };
}

/** The same without a memory, for sites that have a list for each of a thousand lines. */
export function createForgetfulRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList();
  const readable = ranges.map(parseRange).filter((range) => range !== undefined);
  for (const { address, bits } of readable) list.addSubnet(address.text, bits, address.family);
  return { has: ({ text, family }) => readable.length > 0 && list.check(text, family) };
}
