import { expect, test } from 'vitest';
import { writeCountryMmdb } from '../testing/write-mmdb.ts';
import { openAddressDatabase } from './open-address-database.ts';
import type { IpAddress } from './parse-address.ts';
import { createRegionRules } from './create-region-rules.ts';

const database = openAddressDatabase(writeCountryMmdb({ '203.0.113.0/24': 'GB', '198.51.100.0/25': 'FR' }));
const ipv4 = (text: string): IpAddress => ({ text, family: 'ipv4' });

function rulesFor(
  restrictedRegions: string[],
  countryHeader = '',
  unknownRegion: 'closed' | 'open' = 'closed',
) {
  return createRegionRules(
    {
      compliance: {
        operator: 'o',
        licence: { statement: 's', url: 'https://l.example' },
        minimumAge: 18,
        responsiblePlayUrl: 'https://r.example',
        restrictedRegions,
      },
      network: { trustedProxies: [], clientAddressHeader: '', countryHeader, mmdb: '', unknownRegion },
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

test('a caller of unknown country is restricted, unless the operator opens the site to them', () => {
  const nothing = () => undefined;
  const [closed, open] = [rulesFor(['GB']), rulesFor(['GB'], '', 'open')];
  for (const { isRestricted } of [closed, open]) {
    expect(isRestricted({ kind: 'direct', address: ipv4('203.0.113.1') }, nothing)).toBe(true);
    expect(isRestricted({ kind: 'direct', address: ipv4('198.51.100.1') }, nothing)).toBe(false);
  }
  const unknown = { kind: 'direct', address: ipv4('192.0.2.1') } as const;
  expect(closed.isRestricted(unknown, nothing)).toBe(true);
  expect(open.isRestricted(unknown, nothing)).toBe(false);
  expect(rulesFor([]).isRestricted(unknown, nothing)).toBe(false);
});

test('a caller who cannot be told is nowhere, whatever the proxy’s address or the headers say', () => {
  const untold = { kind: 'untold', address: ipv4('198.51.100.1') } as const;
  const inFrance = () => 'FR';
  expect(rulesFor(['GB'], 'X-Country').isRestricted(untold, inFrance)).toBe(true);
  expect(rulesFor(['GB'], 'X-Country', 'open').isRestricted(untold, inFrance)).toBe(false);
  expect(rulesFor(['GB'], 'X-Country').countryOf(untold, inFrance)).toBeUndefined();
});

test('where a proxy stands says nothing about its visitors', () => {
  const proxy = { kind: 'proxy', address: ipv4('198.51.100.1') } as const;
  const { isRestricted } = rulesFor(['GB'], 'X-Country');
  expect(isRestricted(proxy, () => undefined)).toBe(true);
  expect(isRestricted(proxy, () => 'FR')).toBe(false);
});

test('the word of a trusted CDN goes before the file', () => {
  const { isRestricted } = rulesFor(['GB'], 'X-Country');
  const header = (name: string) => (name === 'x-country' ? 'FR' : undefined);
  expect(isRestricted({ kind: 'proxied', address: ipv4('203.0.113.1') }, header)).toBe(false);
  expect(isRestricted({ kind: 'direct', address: ipv4('203.0.113.1') }, header)).toBe(true);
});

test.each(['XX', 'T1', '', 'nowhere'])(
  'where the CDN knows no country, and says "%s", the file tells',
  (named) => {
    const { isRestricted } = rulesFor(['GB'], 'X-Country');
    const header = () => named;
    expect(isRestricted({ kind: 'proxied', address: ipv4('203.0.113.1') }, header)).toBe(true);
    expect(isRestricted({ kind: 'proxied', address: ipv4('198.51.100.1') }, header)).toBe(false);
  },
);

test('a region is unknown if nobody names it, and if the CDN says so and the file does not know better', () => {
  const { isKnown } = rulesFor(['GB'], 'X-Country');
  const unlisted = { kind: 'proxied', address: ipv4('192.0.2.1') } as const;
  expect(['FR', 'XX', 'T1', ''].map((named) => isKnown(unlisted, () => named))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(isKnown({ kind: 'proxied', address: ipv4('203.0.113.1') }, () => 'XX')).toBe(true);
});

test('an unknown country can be restricted by its own name, too', () => {
  const { isRestricted } = rulesFor(['XX'], 'X-Country', 'open');
  expect(isRestricted({ kind: 'proxied', address: ipv4('192.0.2.1') }, () => 'XX')).toBe(true);
  expect(isRestricted({ kind: 'proxied', address: ipv4('203.0.113.1') }, () => 'XX')).toBe(false);
  const { isRestricted: isClosed } = rulesFor(['GB'], 'X-Country');
  expect(isClosed({ kind: 'proxied', address: ipv4('192.0.2.1') }, () => 'XX')).toBe(true);
});
