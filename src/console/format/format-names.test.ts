import { expect, test } from 'vitest';
import { formatHost, formatNetwork } from './format-names.ts';
import { formatAge, formatClock } from './format-time.ts';

test('a network is named as networks are', () => {
  expect(['GB/AS2856', '/198.51', 'DE/2001:db8', 'FR/'].map(formatNetwork)).toEqual([
    'GB AS2856',
    '198.51.0.0/16',
    'DE 2001:db8::/32',
    'FR any other network',
  ]);
});

test('a host needs no scheme', () => {
  expect(['http://line1.example:80', 'line1.example'].map(formatHost)).toEqual([
    'line1.example:80',
    'line1.example',
  ]);
});

test('a time of another day names the day', () => {
  const noon = new Date(2026, 10, 15, 12, 0).getTime();
  expect(formatClock(noon - 60_000, noon)).toBe('11:59');
  expect(formatClock(noon - 86_400_000, noon)).toBe('14 Nov, 12:00');
});

test('an age has one unit', () => {
  const ages = [30_000, 59 * 60_000, 3 * 3_600_000, 50 * 3_600_000].map((age) => formatAge(0, age));
  expect(ages).toEqual(['just now', '59 min', '3 h', '2 days']);
});
