import { describe, expect, test } from 'vitest';
import { type LineSigns, judgeLine } from './judge-line.ts';

const NOBODY = { tried: 0, reached: 0 };
const judge = (signs: Partial<LineSigns>) =>
  judgeLine({ probe: undefined, latest: NOBODY, lately: NOBODY, ...signs });

describe('the state of a line', () => {
  test('is unknown where nothing is known, or only a few have failed', () => {
    expect(judge({})).toEqual({ status: 'unknown', judgedBy: null });
    expect(judge({ lately: { tried: 2, reached: 0 } }).status).toBe('unknown');
  });

  test('is down where the server’s own probe fails, whatever visitors say', () => {
    const many = { tried: 100, reached: 100 };
    expect(judge({ probe: { isUp: false }, latest: many, lately: many })).toEqual({
      status: 'down',
      judgedBy: 'probe',
    });
  });

  test('is down where nobody of a fair number of visitors reached it', () => {
    const latest = { tried: 5, reached: 0 };
    expect(judge({ probe: { isUp: true }, latest, lately: latest })).toEqual({
      status: 'down',
      judgedBy: 'visitors',
    });
    // Those who came before it went down do not speak for it.
    expect(judge({ latest, lately: { tried: 50, reached: 45 } }).status).toBe('down');
  });

  test('is degraded under nine of ten', () => {
    expect(judge({ latest: { tried: 100, reached: 89 } }).status).toBe('degraded');
    const good = { tried: 100, reached: 90 };
    expect(judge({ latest: good, lately: good })).toEqual({ status: 'up', judgedBy: 'visitors' });
  });

  test('looks at five minutes where two had too few visitors', () => {
    expect(judge({ latest: { tried: 1, reached: 1 }, lately: { tried: 10, reached: 5 } }).status).toBe(
      'degraded',
    );
  });

  test('is up by the probe alone where no visitor came', () => {
    expect(judge({ probe: { isUp: true } })).toEqual({ status: 'up', judgedBy: 'probe' });
  });
});
