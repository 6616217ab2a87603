import { expect, test } from 'vitest';
import { drawStates, listTroubles, readState } from './draw-states.ts';

const STATES = [
  { status: 'up', minutes: 2 },
  { status: 'down', minutes: 1 },
  { status: 'degraded', minutes: 3 },
  { status: 'up', minutes: 1 },
] as const;

test('every minute is one cell, at its place, and each state has a height of its own', () => {
  const paths = new Map(drawStates(STATES).map(({ status, path }) => [status, path]));
  expect(paths.get('up')).toBe('M0 0h3v20h-3zM4 0h3v20h-3zM24 0h3v20h-3z');
  expect(paths.get('down')).toBe('M8 15h3v5h-3z');
  expect(paths.get('degraded')?.split('M')).toHaveLength(4);
  const heights = drawStates(
    (['up', 'degraded', 'down', 'unknown', 'maintenance'] as const).map((status) => ({ status, minutes: 1 })),
  ).map(({ path }) => /v(\d+)/.exec(path)?.[1]);
  expect(new Set(heights).size).toBe(5);
});

test('troubles are where they were', () => {
  expect(listTroubles(STATES)).toEqual([
    { status: 'down', from: 2, minutes: 1 },
    { status: 'degraded', from: 3, minutes: 3 },
  ]);
});

test('a minute has its state, and none beyond the end', () => {
  expect([0, 1, 2, 3, 5, 6, 7].map((minute) => readState(STATES, minute))).toEqual([
    'up',
    'up',
    'down',
    'degraded',
    'degraded',
    'up',
    'unknown',
  ]);
});
