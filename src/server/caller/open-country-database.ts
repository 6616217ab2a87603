import { type CountryResponse, Reader } from 'mmdb-lib';
import type { CountryDatabase } from './region-rules.ts';

const METADATA_MARKER = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');

/** Opens the bytes of an mmdb file that knows countries, such as GeoLite2-Country. Throws where they are none. */
export function openCountryDatabase(bytes: Buffer): CountryDatabase {
  // The library would take the first bytes of any other file for metadata.
  if (!bytes.includes(METADATA_MARKER)) throw new Error('it has no mmdb metadata');
  const reader = new Reader<CountryResponse>(bytes);
  return {
    countryOf: ({ text }) => {
      const found = reader.get(text);
      return found?.country?.iso_code ?? found?.registered_country?.iso_code;
    },
  };
}
