import { expect, test } from 'vitest';
import { buildFallbackAddresses } from './build-fallback-addresses.ts';

test('plain links carry the day’s name, from midnight UTC on, and a port', () => {
  const lines = { fallback: ['b1.example', 'http://b2.example:81'], ports: [9900, 5569] };
  const addressesAt = (at: number) => buildFallbackAddresses(lines, { random: () => 0.5, now: () => at });
  const midnight = Date.UTC(2026, 0, 1);
  expect(addressesAt(midnight - 1)).toEqual([
    'https://www20453.b1.example:5569',
    'http://www20453.b2.example:81',
  ]);
  expect(addressesAt(midnight)).toEqual([
    'https://www20454.b1.example:5569',
    'http://www20454.b2.example:81',
  ]);
});
