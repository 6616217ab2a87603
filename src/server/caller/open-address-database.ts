import { type AsnResponse, type CountryResponse, Reader } from 'mmdb-lib';
import { remember } from '../process/remember.ts';
import type { Address } from './parse-address.ts';

/** Tells where an address is, as far as it is known. */
export type AddressDatabase = {
  /** Its country, by two letters. */
  readonly countryOf: (address: Address) => string | undefined;
  /** The number of its autonomous system: of the network that it belongs to. */
  readonly systemOf: (address: Address) => number | undefined;
};

export type AddressFile = AddressDatabase & {
  /** What makes addresses unknown, one text each. Some of the records are read: there may be millions. */
  readonly findFaults: () => readonly string[];
};

const METADATA_MARKER = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');
const COUNTRY = /^[A-Z]{2}$/;
/** Where the samples start, spread over all addresses, and how many networks are read from each start on. */
const SAMPLE_STARTS = 64;
const SAMPLE_NETWORKS = 32;

type Entry = CountryResponse & Partial<AsnResponse>;

/**
 * Opens the bytes of an mmdb file such as GeoLite2-Country or GeoLite2-ASN. Throws where they are none. An address whose
 * record cannot be read is unknown, and `onFault` is told.
 */
export function openAddressDatabase(
  bytes: Buffer,
  onFault: (error: unknown) => void = () => undefined,
): AddressFile {
  // The library would take the first bytes of any other file for metadata.
  if (!bytes.includes(METADATA_MARKER)) throw new Error('it has no mmdb metadata');
  const reader = new Reader<Entry>(bytes);
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
  const find = ({ text, family }: Address): Entry | undefined =>
    isIpv4Only && family === 'ipv6' ? undefined : read(text);
  return {
    countryOf: (address) => {
      const found = find(address);
      const code: unknown = found?.country?.iso_code ?? found?.registered_country?.iso_code;
      return typeof code === 'string' && COUNTRY.test(code) ? code : undefined;
    },
    systemOf: (address) => {
      const system: unknown = find(address)?.autonomous_system_number;
      return Number.isSafeInteger(system) ? Number(system) : undefined;
    },
    findFaults: () => {
      const families = isIpv4Only ? [IPV4] : [IPV4, IPV6];
      const unreadable = families.map((family) => findUnreadable(reader, family)).find(Boolean);
      return [
        ...(isIpv4Only ? ['holds IPv4 addresses only: a visitor with an IPv6 address is unknown'] : []),
        ...(unreadable
          ? [`has records that cannot be read, such as that of ${unreadable}: download it again`]
          : []),
      ];
    },
  };
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

/** An address whose record cannot be read, if one is found. */
function findUnreadable(reader: Reader<Entry>, { bits, range, format }: Family): string | undefined {
  const [first, last] = range;
  for (let start = 0; start < SAMPLE_STARTS; start += 1) {
    let address = first + ((last - first) / BigInt(SAMPLE_STARTS)) * BigInt(start);
    for (let networks = 0; networks < SAMPLE_NETWORKS && address <= last; networks += 1) {
      try {
        const [, prefixLength] = reader.getWithPrefixLength(format(address));
        const size = 2n ** BigInt(bits - prefixLength);
        address = (address / size + 1n) * size;
      } catch {
        return format(address);
      }
    }
  }
  return undefined;
}

/** Asks several databases as one: the first that knows an answer gives it. */
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
  };
}
