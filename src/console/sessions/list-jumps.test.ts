import { expect, test } from 'vitest';
import { sampleView } from '../testing/sample-session.ts';
import { listJumps } from './list-jumps.ts';

const { openedAt } = sampleView();
const click = (at: number) => ({ type: 3, timestamp: at, data: { source: 2, type: 2 } });

test('clicks, errors, the first row and the line that was entered have their places in a replay', () => {
  const events = [
    { type: 4, timestamp: openedAt + 1_000, data: {} },
    click(openedAt + 2_500),
    { type: 3, timestamp: openedAt + 2_600, data: { source: 2, type: 0 } },
    { type: 3, timestamp: openedAt + 2_700 },
  ];
  const view = sampleView({ errors: [{ at: openedAt + 2_000, message: 'boom' }] });
  expect(listJumps(events, view)).toEqual([
    { kind: 'first-row', atMs: 400 },
    { kind: 'error', atMs: 2_000 },
    { kind: 'click', atMs: 2_500 },
    { kind: 'entered', atMs: 3_000 },
  ]);
});

test('a recording cannot fill the screen with clicks', () => {
  const events = Array.from({ length: 1_000 }, (_, index) => click(openedAt + index));
  expect(listJumps(events, sampleView()).filter(({ kind }) => kind === 'click')).toHaveLength(200);
});
