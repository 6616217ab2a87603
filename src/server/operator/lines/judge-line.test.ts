import { describe, expect, test } from 'vitest';
import type { LineLoss } from '../../learning/losses/judge-losses.ts';
import { type LineSigns, type SinceFacts, findStatusSince, judgeLine } from './judge-line.ts';

const MINUTE_MS = 60_000;

function judge(signs: Partial<LineSigns>): string {
  const { status, judgedBy } = judgeLine({ probe: undefined, loss: undefined, isReached: false, ...signs });
  return `${status} by ${judgedBy}`;
}

const probeOf = (condition: 'up' | 'degraded' | 'down') => ({ condition, since: 5, recoveredAt: undefined });
const lossOf = (extent: LineLoss['extent']) => ({ extent, places: [], networks: 1, since: 7, visitors: 4 });

describe('the state of a line', () => {
  test('is unknown where nothing is known', () => {
    expect(judge({})).toBe('unknown by null');
  });

  test('is up by visitors who reached it lately, and else by the server’s own probe', () => {
    expect(judge({ isReached: true, probe: probeOf('up') })).toBe('up by visitors');
    expect(judge({ probe: probeOf('up') })).toBe('up by probe');
  });

  test('is the worse of what the server and the visitors see', () => {
    expect(judge({ probe: probeOf('down'), isReached: true })).toBe('down by probe');
    expect(judge({ probe: probeOf('degraded'), isReached: true })).toBe('degraded by probe');
    expect(judge({ probe: probeOf('degraded'), loss: lossOf('everywhere') })).toBe('down by visitors');
    expect(judge({ probe: probeOf('degraded'), loss: lossOf('places') })).toBe('degraded by probe');
  });

  test.each(['places', 'some-visitors', 'places-and-some-visitors'] as const)(
    'is degraded if visitors lose it (%s), although others reach it',
    (extent) => {
      expect(judge({ loss: lossOf(extent), isReached: true, probe: probeOf('up') })).toBe(
        'degraded by visitors',
      );
    },
  );
});

describe('since when a line has its state', () => {
  const find = (status: 'up' | 'degraded' | 'down', facts: Partial<SinceFacts> = {}, judgedBy = 'visitors') =>
    findStatusSince(
      { status, judgedBy: judgedBy === 'visitors' ? 'visitors' : 'probe' },
      {
        probe: undefined,
        loss: undefined,
        ended: undefined,
        firstMinute: undefined,
        startedAt: 0,
        ...facts,
      },
    );

  test('is said by who judged it', () => {
    const facts = { probe: probeOf('degraded'), loss: lossOf('places') };
    expect([find('degraded', facts), find('degraded', facts, 'probe')]).toEqual([7, 5]);
  });

  test('is the end of the last trouble for one that is up', () => {
    expect(find('up', { ended: { at: 9, failedAt: 8 }, probe: probeOf('up') })).toBe(9);
    expect(find('up', { ended: { at: 4, failedAt: 3 }, probe: probeOf('up') })).toBe(5);
    // The loss was over when the server saw the line come back, although nobody had tried it by then.
    const probe = { condition: 'up', since: 5, recoveredAt: 5 } as const;
    expect(find('up', { ended: { at: 9, failedAt: 3 }, probe })).toBe(5);
  });

  test('is the first minute in which it was tried where nothing else is known, and not before the server started', () => {
    expect(find('up', { firstMinute: 99 })).toBe(99 * MINUTE_MS);
    expect(find('up', { firstMinute: 99, startedAt: 99.5 * MINUTE_MS })).toBe(99.5 * MINUTE_MS);
    expect(find('up')).toBeUndefined();
  });
});
