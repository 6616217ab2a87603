import { expect, test } from 'vitest';
import { writeCountryMmdb } from '../testing/write-mmdb.ts';
import { openAddressDatabase } from './open-address-database.ts';
import type { Address } from './parse-address.ts';
import { createRegionRules } from './region-rules.ts';

const database = openAddressDatabase(writeCountryMmdb({ '203.0.113.0/24': 'GB', '198.51.100.0/25': 'FR' }));
const ipv4 = (text: string): Address => ({ text, family: 'ipv4' });

function rulesFor(restrictedRegions: string[], countryHeader = '') {
  return createRegionRules(
    {
      compliance: {
        operator: 'o',
        licence: { statement: 's', url: 'https://l.example' },
        minimumAge: 18,
        responsiblePlayUrl: 'https://r.example',
        restrictedRegions,
      },
      network: { trustedProxies: [], clientAddressHeader: '', countryHeader, mmdb: '' },
    },
    database,
  );
}

test('an mmdb file tells the country of an address, where it knows it', () => {
  expect(database.countryOf(ipv4('203.0.113.200'))).toBe('GB');
  expect(database.countryOf(ipv4('198.51.100.1'))).toBe('FR');
  expect(database.countryOf(ipv4('198.51.100.200'))).toBeUndefined();
  expect(database.countryOf({ text: '2001:db8::1', family: 'ipv6' })).toBeUndefined();
});

test('bytes that are no mmdb file are refused', () => {
  expect(() => openAddressDatabase(Buffer.from('not a database'))).toThrow('metadata');
});

test('a caller of unknown country is not restricted', () => {
  const { isRestricted } = rulesFor(['GB']);
  const nothing = () => undefined;
  expect(isRestricted({ address: ipv4('203.0.113.1'), isProxied: false }, nothing)).toBe(true);
  expect(isRestricted({ address: ipv4('198.51.100.1'), isProxied: false }, nothing)).toBe(false);
  expect(isRestricted({ address: ipv4('192.0.2.1'), isProxied: false }, nothing)).toBe(false);
});

test('the word of a trusted CDN goes before the file', () => {
  const { isRestricted } = rulesFor(['GB'], 'X-Country');
  const header = (name: string) => (name === 'x-country' ? 'FR' : undefined);
  expect(isRestricted({ address: ipv4('203.0.113.1'), isProxied: true }, header)).toBe(false);
  expect(isRestricted({ address: ipv4('203.0.113.1'), isProxied: false }, header)).toBe(true);
});

test.each(['XX', 'T1', '', 'nowhere'])(
  'where the CDN knows no country, and says "%s", the file tells',
  (named) => {
    const { isRestricted } = rulesFor(['GB'], 'X-Country');
    const header = () => named;
    expect(isRestricted({ address: ipv4('203.0.113.1'), isProxied: true }, header)).toBe(true);
    expect(isRestricted({ address: ipv4('198.51.100.1'), isProxied: true }, header)).toBe(false);
  },
);

test('an unknown country can be restricted, too', () => {
  const { isRestricted } = rulesFor(['XX'], 'X-Country');
  expect(isRestricted({ address: ipv4('192.0.2.1'), isProxied: true }, () => 'XX')).toBe(true);
  expect(isRestricted({ address: ipv4('203.0.113.1'), isProxied: true }, () => 'XX')).toBe(false);
});
