import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEdits } from '../store/changes.ts';
import { addCampaign, listOtherKeys, suggestCode } from './read-campaigns.ts';

test.each([
  ['Spring cup 2026', [], 'spring-cup-2026'],
  ['  Été à Paris! ', [], 'ete-a-paris'],
  ['春季杯', [], 'campaign'],
  ['春季杯', ['campaign', 'campaign-2'], 'campaign-3'],
  ['Spring', ['spring'], 'spring-2'],
])('%j, beside %j, becomes %j', (name, taken, code) => {
  expect(suggestCode(name, taken)).toBe(code);
});

test('is a code that nobody has, whatever the name', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 60 }), (name, other) => {
      const taken = [suggestCode(name, []), suggestCode(other, [])];
      const code = suggestCode(name, taken);
      expect(code).toMatch(/^[a-z\d-]{1,40}$/);
      expect(taken).not.toContain(code);
    }),
  );
});

test('a campaign that another window has added meanwhile is not written over', () => {
  const add = (now: object) =>
    makeEdits(addCampaign('spring', 'Spring'), { made: {}, now: { 'site.json': now } });
  expect(add({})).toEqual([{ path: ['campaigns', 'spring'], value: { name: 'Spring' } }]);
  expect(add({ campaigns: { spring: { name: 'Theirs', to: 'line' } } })).toEqual([]);
});

test('a parameter that has no field of its own is listed', () => {
  expect(listOtherKeys({ query: { utm_source: 'channel', promo: 'A1', utm_term: 'x' } })).toEqual([
    'promo',
    'utm_term',
  ]);
  expect(listOtherKeys({})).toEqual([]);
});
