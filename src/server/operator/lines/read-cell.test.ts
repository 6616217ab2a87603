import { expect, test } from 'vitest';
import { takeSteps } from '../../process/create-step-watch.ts';
import { addObservation, createCounts, openVoter } from '../../learning/counts.ts';
import { createKnowledge, foldWindow } from '../../learning/knowledge.ts';
import { type Cell, findMeanMs, readCell } from './read-cell.ts';

const HOUR_MS = 3_600_000;

type Seen = {
  readonly reached?: number;
  readonly lost?: number;
  readonly open?: number;
  readonly ms?: number;
};

/** What is known of a line after these visitors, each of a /24 of their own, in a window each. */
function learn(...visitors: readonly Seen[]) {
  const knowledge = createKnowledge(['line'], [1], 0);
  for (const [voter, { reached = 0, lost = 0, open = 0, ms = 50 }] of visitors.entries()) {
    const counts = createCounts();
    const seen = {
      reached,
      failed: lost + 0.3 * open,
      lost,
      times: reached,
      sumLnMs: reached * Math.log(ms),
    };
    addObservation(openVoter(counts, '/AS1', voter), 'line', seen);
    takeSteps(foldWindow(knowledge, counts, (voter + 1) * 10_000));
  }
  return {
    knowledge,
    read: (recoveredAt = 0) =>
      readCell({ knowledge, findRecovery: () => recoveredAt }, { area: '/AS1', lineId: 'line' }),
  };
}

test('a line of which nothing was seen has no cell, and neither has one that was only left open', () => {
  expect(learn().read()).toBeUndefined();
  expect(learn({ open: 10 }).read()).toBeUndefined();
});

test('a cell fails where the visitors of the network lose the line: four in a row', () => {
  const lost = { lost: 1 };
  expect(learn(lost, lost, lost).read()).toMatchObject({ failingSince: undefined });
  const { read } = learn({ reached: 1, ms: 80 }, lost, lost, lost, lost);
  expect(read()?.lost).toBeCloseTo(4, 1);
  expect(read()).toMatchObject({ failingSince: 20_000 });
  // The server saw the line come back afterwards.
  expect(read(50_001)).toMatchObject({ failingSince: undefined });
  expect(findMeanMs(read() as Cell)).toBe(80);
});

test('what was seen long ago is no longer told', () => {
  const { knowledge, read } = learn({ lost: 1 });
  takeSteps(foldWindow(knowledge, createCounts(), HOUR_MS / 2));
  expect(read()?.lost).toBeCloseTo(0.7, 1);
  takeSteps(foldWindow(knowledge, createCounts(), 2 * HOUR_MS));
  expect(read()).toBeUndefined();
});
