import { expect, test } from 'vitest';
import type { SpeedText } from '../../../engine/board/describe-speed.ts';
import { describeEnteredLine } from './describe-entered-line.ts';

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
