import type { PageTexts } from '../../kit/page/create-page-content.ts';

/** The texts that take turns in one place of the page. */
const TURNS = {
  speed: ['testing', 'aboveFiveSeconds', 'aboveTwentySeconds'],
  note: ['estimate', 'fast', 'fair', 'slow', 'timeout', 'unreachable', 'wrong-server'],
  status: ['measuring', 'measured'],
} as const satisfies Readonly<Record<string, readonly (keyof PageTexts)[]>>;

/**
 * Renders the longest text of each place as a CSS variable. The styles put it there invisibly, so shorter texts take the
 * same space.
 */
export function renderReservedSpace(texts: PageTexts): string {
  const declarations = Object.entries(TURNS).map(([place, keys]) => {
    const [longest = ''] = keys.map((key) => texts[key]).toSorted((a, b) => b.length - a.length);
    return `--longest-${place}:${quoteText(longest)}`;
  });
  return `:root{${declarations.join(';')}}`;
}

/** Writes a text as a string of CSS, inside HTML: https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point */
export function quoteText(text: string): string {
  const escaped = text.replaceAll(/["\\<\n]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);
  return `"${escaped}"`;
}
