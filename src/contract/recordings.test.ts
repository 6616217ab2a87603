import { expect, test } from 'vitest';
import { type ViewSummary, markSession } from './recordings.ts';

const view: ViewSummary = {
  id: 'a'.repeat(32),
  openedAt: 10_000,
  firstRowAt: 10_400,
  reachedLines: 4,
  failedLines: 0,
  entered: [],
  errors: [],
  lcpMs: 900,
  replay: 'recording',
  isWhole: true,
  segments: { kept: 1, made: 1 },
};
const NOTHING = { error: false, stuck: false, slow: false };
const entered = (at: number) => [{ at, host: 'line1.example', time: 40 }];

test.each<[string, readonly Partial<ViewSummary>[], object]>([
  ['a view without trouble', [{}], NOTHING],
  ['an error in any view', [{}, { errors: [{ at: 11_000, message: 'boom' }] }], { error: true }],
  ['lines that failed, and none that was reached', [{ reachedLines: 0, failedLines: 4 }], { stuck: true }],
  ['a later view that reached a line', [{ reachedLines: 0, failedLines: 4 }, {}], {}],
  [
    'a line that was entered although all failed',
    [{ reachedLines: 0, failedLines: 4, entered: entered(12_000) }],
    {},
  ],
  ['a visitor who left before any line was measured', [{ reachedLines: 0 }], {}],
  ['a largest paint at 2.5 s', [{ lcpMs: 2_500 }], {}],
  ['a largest paint after 2.5 s', [{ lcpMs: 2_501 }], { slow: true }],
  ['a line entered after 5 s', [{ entered: entered(15_000) }], {}],
  ['a line entered later than that', [{ entered: entered(15_001) }], { slow: true }],
])('marks %s', (_, views, marks) => {
  expect(markSession({ views: views.map((changes) => ({ ...view, ...changes })) })).toEqual({
    ...NOTHING,
    ...marks,
  });
});
