import { expect, test } from 'vitest';
import { type PlayedReplay, placeInView } from './use-replay.ts';

function play(atMs: number) {
  const shown: number[] = [];
  const replay: PlayedReplay = {
    state: 'loaded',
    totalMs: 10_000,
    atMs,
    isPlaying: false,
    size: { width: 1, height: 1 },
    speed: '1',
    skipsIdle: true,
    show: (at) => void shown.push(at),
    set: () => undefined,
  };
  return { shown, placed: placeInView(replay, { startMs: 700, lastedMs: 15_000 }) };
}

test('a replay counts from when its page was opened, and ends when the visit does', () => {
  expect(play(0).placed).toMatchObject({ atMs: 700, totalMs: 15_000 });
  expect(play(4_000).placed.atMs).toBe(4_700);
  expect(play(9_950).placed.atMs).toBe(15_000);
});

test('what is before its first or after its last event shows that event', () => {
  const { shown, placed } = play(0);
  for (const at of [0, 700, 5_700, 14_000]) placed.show(at, false);
  expect(shown).toEqual([0, 0, 5_000, 10_000]);
});

test('a replay that goes on after the last message ends later', () => {
  const { placed } = play(0);
  expect(placeInView(placed, { startMs: 0, lastedMs: undefined }).totalMs).toBe(15_000);
});

test('nothing that happened is after the end of a short visit', () => {
  const { placed } = play(0);
  expect(placeInView({ ...placed, totalMs: 700 }, { startMs: 700, lastedMs: 1_450 }).totalMs).toBe(1_450);
});
