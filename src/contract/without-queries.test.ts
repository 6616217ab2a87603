import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenthOf } from '../engine/testing/tenth-of.ts';
import { writeWithoutQueries } from './without-queries.ts';

const SECRET = 'S3CRET';

/** An address as browsers write it, with a secret in its query, in its fragment, or in both. */
const address = fc
  .record({
    base: fc.constantFrom(
      'https://brand.example/',
      'https://brand.example',
      'https://brand.example/site/logo.svg',
      'http://127.0.0.1:8080/t/vip',
    ),
    before: fc.string({ unit: 'binary', maxLength: 12 }),
    after: fc.string({ unit: 'binary', maxLength: 12 }),
    name: fc.constantFrom('', 'coupon=', 'a=1&token=', "it's(", '/path/', ':1:'),
    where: fc.constantFrom('search', 'hash', 'both'),
  })
  .map(({ base, before, after, name, where }) => {
    const url = new URL(base);
    const text = `${before}${name}${SECRET}${after}${SECRET}x`;
    if (where !== 'hash') url.search = text;
    if (where !== 'search') url.hash = text;
    return { base: new URL(base).href, href: url.href };
  });

/** Where recordings hold addresses. */
const holders: readonly ((href: string) => object)[] = [
  (href) => ({ type: 4, data: { href, width: 390 } }),
  (href) => ({ node: { tagName: 'a', attributes: { href, class: 'row' } } }),
  (href) => ({ attributes: { 'xlink:href': href } }),
  (href) => ({ attributes: { src: href, SRCSET: `${href} 1x, ${href} 2x` } }),
  (href) => ({ attributes: { action: href, formaction: href, poster: href } }),
  (href) => ({ attributes: { style: `background: url("${href}"); color: #fff`, 'data-next': href } }),
  (href) => ({ attributes: { _cssText: `a { background: url("${href}"); } #main { top: 0px; }` } }),
  (href) => ({ attributes: [{ id: 4, attributes: { style: { background: `url(${href})` } } }] }),
  (href) => ({ texts: [{ id: 4, value: `See ${href} for more` }] }),
  (href) => ({ type: 5, data: { tag: 'navigated', payload: [href, { to: href }] } }),
  (href) => ({ page: href, errors: [{ message: `Failed to fetch ${href}`, stack: `run (${href}:12:345)` }] }),
];

test('no query and no fragment of an address is written, wherever it is', () => {
  fc.assert(
    fc.property(address, fc.constantFrom(...holders), ({ base, href }, hold) => {
      const written = writeWithoutQueries(hold(href));
      expect(written).not.toContain(SECRET);
      // All else stays, the address up to its query included.
      expect(JSON.parse(written)).toEqual(hold(base));
    }),
    { numRuns: tenthOf(20_000) },
  );
});

test.each([
  ['/r?c=1', '/r'],
  ['//brand.example/a#b', '//brand.example/a'],
  ['send?coupon=1', 'send'],
  ['?coupon=1', ''],
])('an address that is not whole loses its query, too: %s', (text, stripped) => {
  expect(JSON.parse(writeWithoutQueries({ text, href: text }))).toEqual({ text: stripped, href: stripped });
});

test.each([
  'Ready? #1 of 4',
  '还没有账号？',
  'a { color: #fff; } #main[data-x="1"] > b { fill: url(#shade); }',
  'https://brand.example/t/vip',
  'either/or',
])('a text without such an address stays as it is: %s', (text) => {
  expect(writeWithoutQueries({ text })).toBe(JSON.stringify({ text }));
});

test('the place of an error stays, so that errors can be grouped by it', () => {
  const stack = (query: string) =>
    `Error: x\n    at run (https://a.example/${query}:1:22)\ngo@https://a.example/${query}:3:4`;
  expect(JSON.parse(writeWithoutQueries({ stack: stack('?coupon=1#top') }))).toEqual({ stack: stack('') });
});
