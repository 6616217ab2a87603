import { describe, expect, test } from 'vitest';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { gradeCell, listFailures, movePlace, readCell } from './cells.ts';

const DATA: ConsoleNetworks = {
  at: 0,
  known: 2,
  lines: [
    { id: 'a', host: 'line1', status: 'up', rules: [] },
    { id: 'b', host: 'line2', status: 'up', rules: [] },
  ],
  networks: [
    {
      name: 'GB/AS1',
      seenAt: 0,
      failing: 2,
      reached: [1, 0],
      lost: [9, 4],
      timeMs: [80, null],
      failingSince: [500, 900],
    },
    {
      name: '/198.51',
      seenAt: 0,
      failing: 0,
      reached: [9, 0],
      lost: [1, 0],
      timeMs: [70, null],
      failingSince: [null, null],
    },
  ],
};

test('a cell is graded by what its visitors saw', () => {
  const grades = [0, 1].flatMap((network) =>
    [0, 1].map((line) => {
      const cell = readCell(DATA, { network, line });
      return cell && gradeCell(cell);
    }),
  );
  expect(grades).toEqual(['failing', 'failing', 'good', 'none']);
  expect(gradeCell({ reached: 8, lost: 2, failingSince: null })).toBe('poor');
  expect(readCell(DATA, { network: 2, line: 0 })).toBeUndefined();
});

test('failures are listed with those that began last at the top', () => {
  expect(listFailures(DATA).map(({ host, network, since }) => [host, network, since])).toEqual([
    ['line2', 'GB/AS1', 900],
    ['line1', 'GB/AS1', 500],
  ]);
});

describe('keys', () => {
  const size = { networks: 50, lines: 200 };

  test('lead to the neighbour, and never outside', () => {
    expect(movePlace('ArrowRight', { network: 3, line: 7 }, size)).toEqual({ network: 3, line: 8 });
    expect(movePlace('ArrowUp', { network: 0, line: 7 }, size)).toEqual({ network: 0, line: 7 });
    expect(movePlace('PageDown', { network: 45, line: 7 }, size)).toEqual({ network: 49, line: 7 });
    expect(movePlace('End', { network: 3, line: 7 }, size)).toEqual({ network: 3, line: 199 });
  });

  test('that mean something else lead nowhere', () => {
    expect(movePlace('Tab', { network: 3, line: 7 }, size)).toBeUndefined();
  });
});
