import { expect, test } from 'vitest';
import { findOutage, findPassage } from './trouble.ts';

const MINUTE_MS = 60_000;
const HOSTS = ['line1', 'line2', 'line3', 'line4'];

test('some ways are blocked and some are slow, most are neither, and all change over time', () => {
  const passages = Array.from({ length: 2_000 }, (_, spell) =>
    findPassage('198.18', 'line1', spell * 4 * MINUTE_MS),
  );
  const part = (count: number) => count / passages.length;
  expect(part(passages.filter(({ isBlocked }) => isBlocked).length)).toBeCloseTo(0.07, 1);
  expect(part(passages.filter(({ extraMs }) => extraMs >= 700).length)).toBeCloseTo(0.1, 1);
  expect(findPassage('198.18', 'line1', 1)).toEqual(findPassage('198.18', 'line1', MINUTE_MS));
});

test('each line is down for everybody in its turn, for a minute', () => {
  const outages = Array.from({ length: 24 }, (_, minute) => findOutage(HOSTS, minute * MINUTE_MS));
  expect(outages.filter((host) => host !== undefined)).toEqual(HOSTS);
});
