import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, difference } from '../../../contract/site/colours.ts';
import { deriveTheme } from './derive-theme.ts';

const colour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('deriveTheme', () => {
  test('keeps every text readable, whatever colours an operator chooses', () => {
    fc.assert(
      fc.property(fc.record({ accent: colour, background: colour, text: colour }), (theme) => {
        const tokens = deriveTheme(theme);
        const on = (text: string, ground: string) => contrast(tokens[text] ?? '', tokens[ground] ?? '');
        for (const text of ['--text', '--muted', '--accent-text', '--fast', '--fair', '--slow', '--failed']) {
          expect(on(text, '--raised')).toBeGreaterThanOrEqual(4.5);
        }
        for (const ground of ['--accent', '--accent-hover']) {
          expect(on('--on-accent', ground)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  test('"fair" never looks like the accent, on any background with room for colours', () => {
    fc.assert(
      fc.property(fc.record({ accent: colour, background: colour }), (theme) => {
        const room = Math.max(contrast(theme.background, '#ffffff'), contrast(theme.background, '#000000'));
        fc.pre(room >= 9 && contrast(theme.accent, theme.background) >= 3);
        const tokens = deriveTheme(theme);
        for (const accent of ['--accent', '--accent-text']) {
          expect(difference(tokens['--fair'] ?? '', tokens[accent] ?? '')).toBeGreaterThanOrEqual(0.08);
        }
      }),
    );
  });

  test.each([
    ['dark', {}],
    ['light', { background: '#ffffff', accent: '#b3261e' }],
  ])('keeps text readable on all grounds of a %s theme', (_, theme) => {
    const tokens = deriveTheme(theme);
    for (const ground of ['--background', '--surface', '--raised', '--accent-soft']) {
      for (const text of ['--text', '--muted', '--accent-text', '--fast', '--fair', '--slow', '--failed']) {
        expect(contrast(tokens[text] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('is light where the background is', () => {
    expect(deriveTheme({ background: '#ffffff' })).toMatchObject({
      'color-scheme': 'light',
      '--text': '#0a0f1a',
      // A card is no darker than the page.
      '--raised': '#ffffff',
    });
    expect(deriveTheme({})).toMatchObject({ 'color-scheme': 'dark' });
  });
});
