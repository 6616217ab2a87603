import { expect, test } from 'vitest';
import { contrast } from '../../contract/site/colours.ts';
import { createReachScale } from './reach-scale.ts';

/** As in tokens.css: `--up-soft`, `--degraded-soft`, `--down`, and `--surface` below them. */
const THEMES = {
  light: { stops: { all: '#def3e6', most: '#fdeccb', none: '#b4211d' }, surface: '#ffffff' },
  dark: { stops: { all: '#123024', most: '#362a12', none: '#ff8f87' }, surface: '#12171f' },
};

test.each(Object.entries(THEMES))('in the %s theme, each number can be read on its cell', (_, { stops }) => {
  const scale = createReachScale(stops);
  expect(scale).toHaveLength(101);
  for (const { fill, ink } of scale) expect(contrast(fill, ink)).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.entries(THEMES))(
  'in the %s theme, a cell stands out the more, the fewer reach the line, also without colours',
  (_, { stops, surface }) => {
    const scale = createReachScale(stops);
    const tenths = [0, 10, 20, 30, 40, 50, 60, 70, 80].map((percent) =>
      contrast(scale[percent]?.fill ?? '', surface),
    );
    expect(tenths).toEqual(tenths.toSorted((a, b) => b - a));
    expect((tenths[0] ?? 0) / (tenths[8] ?? 0)).toBeGreaterThan(4);
  },
);
