import { describe, expect, test } from 'vitest';
import type { SharedLineView } from './agree-on-line.ts';
import { agreeOnLine } from './agree-on-line.ts';

const WELL: SharedLineView = { isCutOff: false, down: [], dead: [] };
const LOST: SharedLineView = { isCutOff: false, down: ['a'], dead: [] };
const DEAD: SharedLineView = { isCutOff: false, down: ['a'], dead: ['a'] };
const CUT_OFF: SharedLineView = { isCutOff: true, down: ['a', 'b', 'c'], dead: [] };

describe('a line is down', () => {
  test.each<[string, SharedLineView, SharedLineView[], boolean]>([
    ['where two of three see it down', LOST, [LOST, WELL], true],
    ['where both others do, and this one does not', WELL, [LOST, LOST], true],
    ['not where one of three does', LOST, [WELL, WELL], false],
    ['not where one of two does: that is not most', LOST, [WELL], false],
    ['where both of two do', LOST, [LOST], true],
    ['not where the others that see it down are cut off', WELL, [CUT_OFF, CUT_OFF, WELL], false],
    ['not where this one is cut off, and the only other sees it up', CUT_OFF, [WELL], false],
    ['where this one is cut off, and the only other sees it down', CUT_OFF, [LOST], true],
  ])('%s', (_, own, others, isDown) => {
    expect(agreeOnLine('a', own, others)?.isDown).toBe(isDown);
  });

  test('its application is dead where most say so', () => {
    expect(agreeOnLine('a', DEAD, [DEAD, LOST])).toEqual({ isDown: true, isDead: true });
    expect(agreeOnLine('a', DEAD, [LOST, LOST])).toEqual({ isDown: true, isDead: false });
  });

  test('and nobody decides but this one where no other has a vote', () => {
    expect(agreeOnLine('a', LOST, [])).toBeUndefined();
    expect(agreeOnLine('a', LOST, [CUT_OFF])).toBeUndefined();
  });
});
