import { expect, test } from 'vitest';
import { moveSelection } from './download-tabs.tsx';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowRight', 3, 0],
  ['ArrowUp', 0, 3],
  ['ArrowLeft', 2, 1],
  ['Home', 2, 0],
  ['End', 1, 3],
  ['Enter', 1, undefined],
])('%s takes the selection from %i to %s', (key, from, to) => {
  expect(moveSelection(key, from, 4)).toBe(to);
});
