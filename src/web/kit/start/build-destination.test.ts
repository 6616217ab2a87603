import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDestination } from './build-destination.ts';

const ADDRESS = 'https://www20000.line1.example:9900';

test('leaves query and hash behind', () => {
  expect(buildDestination(ADDRESS, { search: '?code=7', hash: '#top' }, false)).toBe(`${ADDRESS}/`);
});

test('takes query and hash along where the site folder says so', () => {
  expect(buildDestination(ADDRESS, { search: '?code=7', hash: '#top' }, true)).toBe(`${ADDRESS}/?code=7#top`);
});

test('never leaves the chosen address, whatever the visitor came with', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.boolean(), (search, hash, keepQuery) => {
      expect(new URL(buildDestination(ADDRESS, { search, hash }, keepQuery))).toMatchObject({
        origin: ADDRESS,
        pathname: '/',
      });
    }),
  );
});
