import { expect, test } from 'vitest';
import type { SpeedText } from '../../../engine/board/describe-speed.ts';
import { describeEnteredLine, describeSeenLines } from './describe-lines.ts';

const ROW = {
  number: 2,
  host: 'line2.example',
  address: 'https://www20000.line2.example:9900',
  isBackup: false,
  cause: undefined,
  isFastest: true,
};

test.each<[SpeedText, number]>([
  [{ key: 'measured', ms: 38 }, 38],
  [{ key: 'aboveFiveSeconds' }, 99_999],
  [{ key: 'testing' }, 0],
  [{ key: 'estimate', ms: 700 }, 0],
  [{ key: 'aboveTwentySeconds' }, 0],
])('a line that shows %j is told with a time of %i', (speed, time) => {
  expect(describeEnteredLine({ ...ROW, speed }, 1_000)).toEqual({
    at: 1_000,
    index: 2,
    host: 'line2.example',
    time,
  });
});

test('the first row is the first answer of a line that was reached, by the browser’s own timing', () => {
  const address = (number: number) => `https://line${number}.example:9900`;
  const row = (number: number, speed: SpeedText) => ({ ...ROW, number, address: address(number), speed });
  const rows = [
    row(1, { key: 'measured', ms: 90 }),
    row(2, { key: 'measured', ms: 38 }),
    row(3, { key: 'aboveFiveSeconds' }),
    row(4, { key: 'testing' }),
  ];
  const probeOf = (number: number, startTime: number, duration: number) => ({
    name: `${address(number)}/speed.php?t=1`,
    startTime,
    duration,
  });
  const entries = [probeOf(1, 200, 90), probeOf(2, 210.4, 38), probeOf(3, 10, 20), probeOf(9, 1, 1)];
  const timing = { timeOrigin: 5_000, getEntriesByType: () => entries };
  expect(describeSeenLines(rows, timing)).toEqual({ firstRowAt: 5_248, reachedLines: 2, failedLines: 1 });
  expect(describeSeenLines(rows.slice(2), timing)).toEqual({
    firstRowAt: null,
    reachedLines: 0,
    failedLines: 1,
  });
});
