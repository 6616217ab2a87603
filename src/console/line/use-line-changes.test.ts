import { expect, test } from 'vitest';
import { listShown } from './use-line-changes.ts';

test('what changed a line is shown from where its charts begin to the time that is shown', () => {
  const changes = [{ at: 400 }, { at: 300 }, { at: 200 }, { at: 100 }];
  expect(listShown(changes, 200)).toEqual([{ at: 400 }, { at: 300 }, { at: 200 }]);
  // At 300, nobody had made the change of 400 yet.
  expect(listShown(changes, 200, 300)).toEqual([{ at: 300 }, { at: 200 }]);
});
