import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LineSigns, judgeLine } from './judge-line.ts';

const MINUTE_MS = 60_000;
/** In the middle of the minute 100. */
const NOW = 100.5 * MINUTE_MS;

type Seen = readonly [minute: number, tried: number, reached: number];

function judge(minutes: readonly Seen[], probe?: Partial<NonNullable<LineSigns['probe']>>) {
  return judgeLine({
    probe: probe && { condition: 'up', recoveredAt: undefined, checkedAt: NOW - 20_000, ...probe },
    minutes: minutes.map(([minute, tried, reached]) => ({ minute, tried, reached })),
    now: NOW,
  });
}

describe('the state of a line', () => {
  test('is unknown where nothing is known, or only a few have failed', () => {
    expect(judge([])).toEqual({ status: 'unknown', judgedBy: null });
    expect(judge([[100, 4, 0]]).status).toBe('unknown');
  });

  test('is down where the server’s own probe fails, whatever visitors say', () => {
    expect(judge([[100, 100, 100]], { condition: 'down' })).toEqual({ status: 'down', judgedBy: 'probe' });
  });

  test('is down where nobody of a fair number of visitors reached it', () => {
    expect(judge([[100, 5, 0]], {})).toEqual({ status: 'down', judgedBy: 'visitors' });
    // Those who came before it went down do not speak for it.
    expect(
      judge([
        [97, 45, 45],
        [100, 5, 0],
      ]).status,
    ).toBe('down');
  });

  test('is degraded where the server’s own probe sees a fault, though visitors get in', () => {
    expect(judge([[100, 100, 100]], { condition: 'degraded' })).toEqual({
      status: 'degraded',
      judgedBy: 'probe',
    });
  });

  test('is degraded under nine of ten', () => {
    expect(judge([[100, 100, 89]]).status).toBe('degraded');
    expect(judge([[100, 100, 90]])).toEqual({ status: 'up', judgedBy: 'visitors' });
  });

  test('looks at five minutes where two had too few visitors, and not further', () => {
    const before: Seen = [96, 9, 4];
    expect(judge([before, [100, 1, 1]]).status).toBe('degraded');
    expect(
      judge([
        [95, 9, 4],
        [100, 1, 1],
      ]).status,
    ).toBe('up');
  });

  test('is up by the probe alone where no visitor came', () => {
    expect(judge([], {})).toEqual({ status: 'up', judgedBy: 'probe' });
  });
});

describe('a line that has recovered', () => {
  test('is up as soon as its newest visitors say so, though many failed a minute before', () => {
    expect(
      judge([
        [99, 200, 0],
        [100, 10, 10],
      ]).status,
    ).toBe('up');
  });

  test('is up once the server has seen it come back, whatever visitors saw before', () => {
    const failures: readonly Seen[] = [
      [99, 50, 0],
      [100, 50, 0],
    ];
    expect(judge(failures, { recoveredAt: NOW - 10_000 })).toEqual({ status: 'up', judgedBy: 'probe' });
    // What they see afterwards counts again.
    expect(judge(failures, { recoveredAt: 99 * MINUTE_MS }).status).toBe('down');
  });

  test('is up where the server sees it up a minute after the last visitor failed', () => {
    const failures: readonly Seen[] = [[98, 6, 0]];
    expect(judge(failures, { checkedAt: 100 * MINUTE_MS })).toEqual({ status: 'up', judgedBy: 'probe' });
    expect(judge(failures, { checkedAt: 100 * MINUTE_MS - 1 }).status).toBe('down');
  });
});

test('nothing that visitors saw before the line came back changes its state', () => {
  const tallies = fc.array(
    fc.record({ minute: fc.integer({ min: 90, max: 100 }), tried: fc.nat(50), lost: fc.nat(50) }),
  );
  fc.assert(
    fc.property(tallies, fc.integer({ min: 90, max: 100 }), (seen, recoveredMinute) => {
      const minutes = seen
        .map(({ minute, tried, lost }): Seen => [minute, tried + lost, tried])
        .toSorted(([one], [other]) => one - other);
      const probe = { recoveredAt: recoveredMinute * MINUTE_MS };
      const after = minutes.filter(([minute]) => minute >= recoveredMinute);
      expect(judge(minutes, probe)).toEqual(judge(after, probe));
    }),
  );
});
