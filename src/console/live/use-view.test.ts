import { expect, test } from 'vitest';
import { mayStandFor } from './use-view.ts';

const [PATH, OTHER, AT] = ['/api/console/networks', '/api/console/lines', 1_800_000_000_000];

test.each([
  ['of one moment for another', { path: PATH, at: AT }, { path: PATH, at: AT + 300_000 }, true],
  ['of now for now', { path: PATH, at: undefined }, { path: PATH, at: undefined }, true],
  ['of the past for now', { path: PATH, at: AT }, { path: PATH, at: undefined }, false],
  ['of now for the past', { path: PATH, at: undefined }, { path: PATH, at: AT }, false],
  ['of another view', { path: OTHER, at: AT }, { path: PATH, at: AT }, false],
])('data %s may be shown until the wanted is there: %o, %o, %s', (_, loaded, wanted, may) => {
  expect(mayStandFor(loaded, wanted)).toBe(may);
});
