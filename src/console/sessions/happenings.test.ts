import { expect, test } from 'vitest';
import { sampleView } from '../testing/sample-session.ts';
import { formatPosition, formatSpan, listHappenings, nameHappenings } from './happenings.ts';

test('what happened in a view is listed in its order', () => {
  const { openedAt } = sampleView();
  const errors = [{ at: openedAt + 1_000, message: 'boom', stack: 'at main.js:1:2' }];
  expect(listHappenings(sampleView({ errors }))).toEqual([
    { kind: 'opened', at: openedAt },
    { kind: 'first-row', at: openedAt + 400 },
    { kind: 'error', at: openedAt + 1_000, detail: 'boom', stack: 'at main.js:1:2' },
    { kind: 'entered', at: openedAt + 3_000, detail: 'line1.example', timeMs: 43 },
  ]);
  expect(listHappenings(sampleView({ firstRowAt: null, entered: [] }))).toHaveLength(1);
});

test.each([
  [-5, '0.0 s'],
  [440, '0.4 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1:00 min'],
  [185_000, '3:05 min'],
])('%i ms are written as %s', (ms, written) => {
  expect(formatSpan(ms)).toBe(written);
});

test('a place in a replay has minutes and seconds', () => {
  expect([0, 999, 61_500, 3_600_000].map(formatPosition)).toEqual(['0:00', '0:01', '1:02', '60:00']);
});

test('what happened keeps its name when others come before it or go, and no two have the same', () => {
  const { openedAt } = sampleView();
  const error = { at: openedAt + 1_000, message: 'boom', stack: '' };
  const view = { firstRowAt: null, errors: [error, error] };
  const nameErrors = (changes: Parameters<typeof sampleView>[0]): readonly string[] =>
    nameHappenings(listHappenings(sampleView({ ...view, ...changes }))).flatMap(([name, { kind }]) =>
      kind === 'error' ? [name] : [],
    );
  const names = nameErrors({ entered: [{ at: openedAt + 500, host: 'line1.example', time: 43 }] });
  expect(new Set(names).size).toBe(2);
  expect(nameErrors({ firstRowAt: openedAt + 400 })).toEqual(names);
});
