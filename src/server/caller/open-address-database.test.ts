import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { writeCountryMmdb, writeDamagedMmdb, writeMmdb } from '../testing/write-mmdb.ts';
import { openAddressDatabase } from './open-address-database.ts';
import type { IpAddress } from './parse-address.ts';

const COUNTRIES = { '203.0.113.0/24': 'GB', '198.51.100.0/25': 'FR' };
const ipv4 = (text: string): IpAddress => ({ text, family: 'ipv4' });

test('an address whose record cannot be read is unknown, and told of once; the others are known', () => {
  const faults: unknown[] = [];
  const database = openAddressDatabase(writeDamagedMmdb(COUNTRIES), (error) => faults.push(error));
  for (let asked = 0; asked < 3; asked += 1) {
    expect(database.countryOf(ipv4('203.0.113.9'))).toBeUndefined();
    expect(database.systemOf(ipv4('203.0.113.9'))).toBeUndefined();
  }
  expect(database.countryOf(ipv4('198.51.100.9'))).toBe('FR');
  expect(faults).toEqual([expect.any(Error)]);
});

test('a file of IPv4 addresses knows no IPv6 address, whatever its first bits', () => {
  const bytes = writeCountryMmdb(COUNTRIES);
  // The first four bytes are those of 203.0.113.5.
  const address: IpAddress = { text: 'cb00:7105::1', family: 'ipv6' };
  expect(openAddressDatabase(bytes).countryOf(address)).toBeUndefined();
});

test('reads the country where publishers of free files write it', () => {
  const database = openAddressDatabase(writeMmdb({ '203.0.113.0/24': { country_code: 'GB' } }, 6));
  expect(database.countryOf(ipv4('203.0.113.9'))).toBe('GB');
  expect(database.inspect()).toMatchObject({ hasCountries: true, hasSystems: false, family: undefined });
});

test('says of a file what its records tell', () => {
  const inspect = (record: Parameters<typeof writeMmdb>[0][string]): unknown =>
    openAddressDatabase(writeMmdb({ '203.0.113.0/24': record }, 6)).inspect();
  expect(inspect({ country: { iso_code: 'GB' } })).toMatchObject({ hasCountries: true, hasSystems: false });
  expect(inspect({ autonomous_system_number: 64_500 })).toMatchObject({
    hasCountries: false,
    hasSystems: true,
  });
  expect(inspect({ land: 'GB' })).toMatchObject({
    hasCountries: false,
    hasSystems: false,
    unreadable: undefined,
  });
});

test('says of a file that it holds IPv6 addresses only', () => {
  const { family } = openAddressDatabase(writeCountryMmdb({ '2a00::/12': 'GB' }, 6)).inspect();
  expect(family).toBe('ipv6');
});

test('says of a file that it holds IPv4 addresses only, and that records cannot be read', () => {
  const inspect = (mmdb: Buffer) => {
    const { family, unreadable } = openAddressDatabase(mmdb).inspect();
    return [family, unreadable];
  };
  expect(inspect(writeCountryMmdb(COUNTRIES, 6))).toEqual([undefined, undefined]);
  expect(inspect(writeCountryMmdb(COUNTRIES))).toEqual(['ipv4', undefined]);
  expect(inspect(writeDamagedMmdb(COUNTRIES, 6))).toEqual([undefined, '203.0.113.0']);
  expect(inspect(writeDamagedMmdb(COUNTRIES))).toEqual(['ipv4', '203.0.113.0']);
});

test('whichever byte is damaged, a lookup answers a country, a number or nothing, and never throws', () => {
  const bytes = writeCountryMmdb(COUNTRIES, 6);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ change;
      let database: ReturnType<typeof openAddressDatabase>;
      try {
        database = openAddressDatabase(damaged);
      } catch {
        return; // Refused as a whole.
      }
      for (const address of [ipv4('203.0.113.9'), ipv4('198.51.100.9'), ipv4('1.2.3.4')]) {
        expect(database.countryOf(address) ?? 'XX').toMatch(/^[A-Z]{2}$/);
        expect(database.systemOf(address) ?? 0).toSatisfy(Number.isSafeInteger);
      }
      database.inspect();
    }),
    { numRuns: tenthOf(1_000) },
  );
});
