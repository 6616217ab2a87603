import { type CountryResponse, Reader } from 'mmdb-lib';
import type { CountryDatabase } from './region-rules.ts';

/** Opens the bytes of an mmdb file that knows countries, such as GeoLite2-Country. Throws where they are none. */
export function openCountryDatabase(bytes: Buffer): CountryDatabase {
  const reader = new Reader<CountryResponse>(bytes);
  return {
    countryOf: ({ text }) => {
      const found = reader.get(text);
      return found?.country?.iso_code ?? found?.registered_country?.iso_code;
    },
  };
}
