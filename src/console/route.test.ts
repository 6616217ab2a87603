import { expect, test } from 'vitest';
import { type Route, hrefOf, parseRoute } from './route.ts';

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
