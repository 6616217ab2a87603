import { expect, test } from 'vitest';
import { en } from '../locale/en.ts';
import { formatHost, formatNetwork } from './format-names.ts';

test('a network is named as networks are', () => {
  const areas = ['GB/AS2856', '/198.51', 'DE/2001:db8', 'FR/'];
  expect(areas.map((area) => formatNetwork(area, en))).toEqual([
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
