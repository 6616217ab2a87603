import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDestination } from './build-destination.ts';

const ADDRESS = 'https://www20000.line1.example:9900';
const SPRING = { path: '/promo/spring', query: { utm_source: 'channel' } };

test('leaves query and hash behind', () => {
  expect(buildDestination(ADDRESS)).toBe(`${ADDRESS}/`);
});

test('takes query and hash along where the site folder says so', () => {
  expect(buildDestination(ADDRESS, {}, { search: '?code=7', hash: '#top' })).toBe(`${ADDRESS}/?code=7#top`);
});

test('ends at the path of a link, with its parameters, which win over those of the visitor', () => {
  expect(buildDestination(ADDRESS, SPRING)).toBe(`${ADDRESS}/promo/spring?utm_source=channel`);
  expect(
    buildDestination(ADDRESS, SPRING, { search: '?utm_source=evil&utm_source=b&code=7', hash: '#top' }),
  ).toBe(`${ADDRESS}/promo/spring?utm_source=channel&code=7#top`);
});

test('never leaves the chosen address, whatever the visitor came with', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.boolean(), (search, hash, hasPath) => {
      const end = hasPath ? SPRING : {};
      expect(new URL(buildDestination(ADDRESS, end, { search, hash }))).toMatchObject({
        origin: ADDRESS,
        pathname: hasPath ? '/promo/spring' : '/',
      });
    }),
  );
});
