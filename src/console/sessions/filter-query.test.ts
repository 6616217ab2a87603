import { expect, test } from 'vitest';
import type { SessionFilter } from '../../contract/recordings.ts';
import { readFilter, writeFilter } from './filter-query.ts';

test.each<SessionFilter>([
  {},
  { error: true },
  {
    error: true,
    stuck: true,
    slow: true,
    device: 'mobile',
    language: 'zh-CN',
    country: 'SG',
    network: '/2001:db8',
    line: 'http://line1.example:9900',
    day: '2026-11-16',
  },
])('%o can be shared as a link', (filter) => {
  expect(readFilter(writeFilter(filter))).toEqual(filter);
});

test('filters that are off are not in the link', () => {
  expect(writeFilter({ error: false, language: '' })).toBe('');
});

test('what a link says besides is left out', () => {
  expect(readFilter('error=maybe&device=fridge&day=&country=S&else=1')).toEqual({});
});
