import { type AsnResponse, type CountryResponse, Reader } from 'mmdb-lib';
import { remember } from '../remember.ts';
import type { Address } from './parse-address.ts';

/** Tells where an address is, as far as it is known. */
export type AddressDatabase = {
  /** Its country, by two letters. */
  readonly countryOf: (address: Address) => string | undefined;
  /** The number of its autonomous system: of the network that it belongs to. */
  readonly systemOf: (address: Address) => number | undefined;
};

const METADATA_MARKER = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');

type Entry = CountryResponse & Partial<AsnResponse>;

/** Opens the bytes of an mmdb file such as GeoLite2-Country or GeoLite2-ASN. Throws where they are none. */
export function openAddressDatabase(bytes: Buffer): AddressDatabase {
  // The library would take the first bytes of any other file for metadata.
  if (!bytes.includes(METADATA_MARKER)) throw new Error('it has no mmdb metadata');
  const reader = new Reader<Entry>(bytes);
  const find = remember((text) => reader.get(text));
  return {
    countryOf: ({ text }) => {
      const found = find(text);
      return found?.country?.iso_code ?? found?.registered_country?.iso_code;
    },
    systemOf: ({ text }) => find(text)?.autonomous_system_number,
  };
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
