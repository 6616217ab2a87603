import { type AsnResponse, type CountryResponse, Reader } from 'mmdb-lib';
import { remember } from './remember.ts';
import { nameSystem } from './system-name.ts';
import type { IpAddress } from './parse-address.ts';

/** Tells where an address is, as far as it is known. */
export type AddressDatabase = {
  /** Its country, by two letters. */
  readonly countryOf: (address: IpAddress) => string | undefined;
  /** The number of its autonomous system: of the network that it belongs to. */
  readonly systemOf: (address: IpAddress) => number | undefined;
  /** Who owns an autonomous system such as `AS64500`, if one of its addresses was asked for, and the file has owners. */
  readonly ownerOf?: (system: string) => string | undefined;
};

export type AddressFile = AddressDatabase & {
  /** Reads some of the records: there may be millions. */
  readonly inspect: () => AddressFileReport;
};

type AddressFileReport = {
  readonly hasCountries: boolean;
  readonly hasSystems: boolean;
  /** The only family that it holds. Undefined if it holds both. */
  readonly family: IpAddress['family'] | undefined;
  /** An address whose record is damaged: the rest of the file may hold anything. */
  readonly unreadable: string | undefined;
};

const METADATA_MARKER = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');
/** Two letters, as ISO 3166 has them. */
export const COUNTRY = /^[A-Z]{2}$/;
/** Where the samples start, spread over all addresses, and how many networks are read from each start on. */
const SAMPLE_STARTS = 64;
const SAMPLE_NETWORKS = 32;

/** There are about 80,000 systems, and most sites have visitors of a few hundred. */
const MAX_OWNERS = 10_000;

/** Publishers of free files write `country_code` where MaxMind and DB-IP write `country.iso_code`. */
type Entry = CountryResponse & Partial<AsnResponse> & { readonly country_code?: unknown };

/**
 * Opens the bytes of an mmdb file such as GeoLite2-Country or GeoLite2-ASN. Throws if they are not one. An address whose
 * record cannot be read is unknown, and `onFault` is called.
 */
export function openAddressDatabase(
  bytes: Buffer,
  onFault: (error: unknown) => void = () => undefined,
): AddressFile {
  // The library would take the first bytes of any other file for metadata.
  if (!bytes.includes(METADATA_MARKER)) throw new Error('it has no mmdb metadata');
  const reader = new Reader<Entry>(bytes);
  const owners = new Map<string, string>();
  const isIpv4Only = reader.metadata.ipVersion === 4;
  const read = remember((text): Entry | undefined => {
    try {
      return reader.get(text) ?? undefined;
    } catch (error) {
      onFault(error);
      return undefined;
    }
  });
  // An IPv6 address would be read as an IPv4 address that has nothing to do with it.
  const find = ({ text, family }: IpAddress): Entry | undefined =>
    isIpv4Only && family === 'ipv6' ? undefined : read(text);
  return {
    countryOf: (address) => readCountry(find(address)),
    systemOf: (address) => {
      const entry = find(address);
      const system = readSystem(entry);
      const owner: unknown = entry?.autonomous_system_organization;
      if (system !== undefined && typeof owner === 'string' && owners.size < MAX_OWNERS)
        owners.set(nameSystem(system), owner);
      return system;
    },
    ownerOf: (system) => owners.get(system),
    inspect: () => {
      const ipv4 = sampleRecords(reader, IPV4);
      const ipv6 = isIpv4Only ? undefined : sampleRecords(reader, IPV6);
      const hasCountries = ipv4.hasCountries || ipv6?.hasCountries === true;
      const hasSystems = ipv4.hasSystems || ipv6?.hasSystems === true;
      const isIpv6Only = (hasCountries || hasSystems) && !ipv4.hasCountries && !ipv4.hasSystems;
      const unreadable = ipv4.unreadable ?? ipv6?.unreadable;
      return {
        hasCountries,
        hasSystems,
        family: isIpv4Only ? 'ipv4' : isIpv6Only ? 'ipv6' : undefined,
        unreadable,
      };
    },
  };
}

function readCountry(entry: Entry | undefined): string | undefined {
  const code: unknown =
    entry?.country?.iso_code ?? entry?.registered_country?.iso_code ?? entry?.country_code;
  return typeof code === 'string' && COUNTRY.test(code) ? code : undefined;
}

function readSystem(entry: Entry | undefined): number | undefined {
  const system: unknown = entry?.autonomous_system_number;
  return Number.isSafeInteger(system) ? Number(system) : undefined;
}

type Family = {
  readonly bits: number;
  /** The first and the last of the addresses that are in use, as a number. */
  readonly range: readonly [bigint, bigint];
  readonly format: (address: bigint) => string;
};

const IPV4: Family = {
  bits: 32,
  range: [0n, 2n ** 32n - 1n],
  format: (address) => [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.'),
};
const IPV6: Family = {
  bits: 128,
  range: [0x2000n << 112n, (0x4000n << 112n) - 1n],
  format: (address) => (address.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':'),
};

type Sample = {
  readonly hasCountries: boolean;
  readonly hasSystems: boolean;
  /** An address whose record cannot be read, if one was found. */
  readonly unreadable: string | undefined;
};

function sampleRecords(reader: Reader<Entry>, { bits, range, format }: Family): Sample {
  const [first, last] = range;
  let hasCountries = false;
  let hasSystems = false;
  for (let start = 0; start < SAMPLE_STARTS; start += 1) {
    let address = first + ((last - first) / BigInt(SAMPLE_STARTS)) * BigInt(start);
    for (let networks = 0; networks < SAMPLE_NETWORKS && address <= last; networks += 1) {
      try {
        const [entry, prefixLength] = reader.getWithPrefixLength(format(address));
        hasCountries ||= readCountry(entry ?? undefined) !== undefined;
        hasSystems ||= readSystem(entry ?? undefined) !== undefined;
        const size = 2n ** BigInt(bits - prefixLength);
        address = (address / size + 1n) * size;
      } catch {
        return { hasCountries, hasSystems, unreadable: format(address) };
      }
    }
  }
  return { hasCountries, hasSystems, unreadable: undefined };
}

/** Asks several databases in turn, until one knows the answer. */
export function joinAddressDatabases(databases: readonly AddressDatabase[]): AddressDatabase {
  const first = <T>(ask: (database: AddressDatabase) => T | undefined): T | undefined => {
    for (const database of databases) {
      const known = ask(database);
      if (known !== undefined) return known;
    }
    return undefined;
  };
  return {
    countryOf: (address) => first((database) => database.countryOf(address)),
    systemOf: (address) => first((database) => database.systemOf(address)),
    ownerOf: (system) => first((database) => database.ownerOf?.(system)),
  };
}
