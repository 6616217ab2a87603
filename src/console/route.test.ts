import { expect, test } from 'vitest';
import { type Route, addTime, hrefOf, parseRoute, parseTime } from './route.ts';

test.each<Route>([
  { view: 'overview' },
  { view: 'line', id: 'a_b-c123' },
  { view: 'where' },
  { view: 'why', network: undefined },
  { view: 'why', network: 'GB/AS2856' },
  { view: 'why', network: '/2001:db8' },
  { view: 'desk', part: '' },
  { view: 'desk', part: 'versions' },
  { view: 'visitors' },
  { view: 'history', line: '' },
  { view: 'history', line: 'line1.example:8443' },
  { view: 'campaigns', code: '' },
  { view: 'campaigns', code: 'spring' },
  { view: 'sessions', part: '' },
  { view: 'sessions', part: '?network=GB%2FAS2856' },
])('the link to %o leads there', (route) => {
  expect(parseRoute(hrefOf(route))).toEqual(route);
});

test.each(['', '#', '#/nowhere', '#/lines/', '#/lines/%'])('%s leads to the overview', (hash) => {
  expect(parseRoute(hash)).toEqual({ view: 'overview' });
});

const AT = Date.UTC(2026, 10, 18, 3, 10);

test.each<[Route, string]>([
  [{ view: 'overview' }, '#/?at=2026-11-18T03:10Z'],
  [{ view: 'line', id: 'a_b-c123' }, '#/lines/a_b-c123?at=2026-11-18T03:10Z'],
  [{ view: 'where' }, '#/where?at=2026-11-18T03:10Z'],
  [{ view: 'incidents' }, '#/incidents?at=2026-11-18T03:10Z'],
])('the link to %o carries the minute', (route, link) => {
  expect(addTime(hrefOf(route), AT)).toBe(link);
  expect([parseRoute(link), parseTime(link)]).toEqual([route, AT]);
  expect(addTime(link, AT - 300_000)).toBe(link.replace('03:10', '03:05'));
  expect(addTime(link, undefined)).toBe(hrefOf(route));
});

test('a link to a minute in between leads to the moment before it, and one to no time leads to now', () => {
  expect(parseTime('#/?at=2026-11-18T03:14Z')).toBe(AT);
  for (const at of ['', 'yesterday', '2026-13-18T03:14Z', '2026-11-18T03:14'])
    expect(parseTime(`#/?at=${at}`)).toBe(undefined);
});

test.each<Route>([
  { view: 'visitors' },
  { view: 'desk', part: 'versions' },
  { view: 'why', network: undefined },
])('%o shows only what is now', (route) => {
  expect(addTime(hrefOf(route), AT)).toBe(hrefOf(route));
  expect(parseTime(`${hrefOf(route)}?at=2026-11-18T03:10Z`)).toBe(undefined);
});
