import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast } from '../contract/site/colours.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const COLOURS = new Map(
  [...read('./tokens.css').matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);
const GROUNDS = ['ground', 'surface', 'sunken'];
const SOFT = ['accent-soft', 'up-soft', 'degraded-soft', 'down-soft'];

function contrastOf(name: string, ground: string, theme: 'light' | 'dark'): number {
  const [colour, behind] = [COLOURS.get(name), COLOURS.get(ground)];
  if (colour === undefined || behind === undefined) throw new Error(`no colour ${name} or ${ground}`);
  return contrast(colour[theme], behind[theme]);
}

/** What is shown on what, and the contrast that WCAG 2.2 (AA) asks for. */
const PAIRS: readonly [name: string, grounds: readonly string[], least: number][] = [
  ['text', [...GROUNDS, ...SOFT], 4.5],
  ['muted', [...GROUNDS, ...SOFT], 4.5],
  ['accent', [...GROUNDS, 'accent-soft'], 4.5],
  ['on-accent', ['accent'], 4.5],
  ['up', [...GROUNDS, 'up-soft'], 4.5],
  ['degraded', [...GROUNDS, 'degraded-soft'], 4.5],
  ['down', [...GROUNDS, 'down-soft'], 4.5],
  ['unknown', GROUNDS, 4.5],
  ['second', GROUNDS, 4.5],
  ['up-mark', GROUNDS, 3],
  ['degraded-mark', GROUNDS, 3],
  ['down-mark', GROUNDS, 3],
  ['control-border', GROUNDS, 3],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(PAIRS)('%s can be seen on %s: %d', (name, grounds, least) => {
    for (const ground of grounds)
      expect(contrastOf(name, ground, theme), ground).toBeGreaterThanOrEqual(least);
  });
});

test('every colour is in a pair, or behind one, or a hairline', () => {
  const paired = new Set(PAIRS.flatMap(([name, grounds]) => [[name], grounds]).flat());
  expect([...COLOURS.keys()].filter((name) => !paired.has(name))).toEqual(['border']);
});

test('the table of the docs has the colours of the style sheet, and their contrast to a surface', () => {
  const rows = [...COLOURS].map(([name, { light, dark }]) => {
    const ratios = (['light', 'dark'] as const).map((theme) => contrastOf(name, 'surface', theme).toFixed(1));
    return [name, light, ratios[0], dark, ratios[1]].join(' | ');
  });
  const table = read('../../docs/console-design.md')
    .split('\n')
    .filter((line) => /^\| `--[\w-]+` +\| `#/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, 6)
        .map((cell) => cell.trim().replaceAll('`', '').replace(/^--/, ''))
        .join(' | '),
    );
  expect(table).toEqual(rows);
});
