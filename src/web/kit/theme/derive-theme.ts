import type { PageSite } from '../../../contract/page/page-data.ts';
import {
  DEFAULT_COLOURS,
  MIN_CONTRAST,
  defaultTextOn,
  difference,
  isDark,
  makeReadable,
  mix,
} from '../../../contract/site/colours.ts';

type Colours = Omit<PageSite['theme'], 'beams'>;

/** Amber. Beside an accent that looks like it, one of the others is used. */
const FAIR_COLOURS = ['#f2b13c', '#6cb8ff', '#b79bff', '#d7dd4a'];
/** If all look like it, they are made lighter or darker by these shares. */
const SHADES = [0, 0.2, 0.4, 0.6, 0.8, 1];
/** Two colours that differ less than this look alike in a small mark: see `difference`. */
const LEAST_DIFFERENCE = 0.1;

/** Derives every colour of the pages from the few that a site folder may set. */
export function deriveTheme(theme: Colours): Readonly<Record<string, string>> {
  const accent = theme.accent ?? DEFAULT_COLOURS.accent;
  const background = theme.background ?? DEFAULT_COLOURS.background;
  const isNight = isDark(background);
  const text = theme.text ?? defaultTextOn(background);
  const lift = isNight ? '#ffffff' : '#000000';
  const surface = mix(background, lift, 0.045);
  // What is raised is lighter than what is around it. On a light page, grey cards would look disabled.
  const raised = isNight ? mix(mix(background, accent, 0.02), lift, 0.07) : background;
  const soft = mix(background, accent, 0.14);
  const readable = (colour: string, ratio: number = MIN_CONTRAST.text): string =>
    [soft, surface, raised].reduce((moved, ground) => makeReadable(moved, ground, ratio), colour);
  const accentText = readable(accent);
  const slow = readable('#ff8d5c');
  return {
    'color-scheme': isNight ? 'dark' : 'light',
    '--background': background,
    '--surface': surface,
    '--raised': raised,
    '--shade': isNight ? '#0008' : '#0003',
    '--border': mix(background, lift, 0.14),
    '--control-border': readable(mix(background, text, 0.4), MIN_CONTRAST.accent),
    '--text': readable(text),
    '--muted': readable(mix(text, background, 0.38)),
    '--accent': accent,
    '--accent-soft': soft,
    // Lighter or darker, away from the colour of its text.
    '--accent-hover': mix(accent, isDark(accent) ? '#000000' : '#ffffff', 0.28),
    '--accent-text': accentText,
    '--on-accent': makeReadable(
      mix(accent, isDark(accent) ? '#ffffff' : '#000000', 0.82),
      accent,
      MIN_CONTRAST.text,
    ),
    '--fast': readable('#36d399'),
    '--fair': chooseFair((colour, share) => readable(mix(colour, lift, share)), [accent, accentText, slow]),
    '--slow': slow,
    '--failed': readable('#ff7182'),
  };
}

/**
 * Chooses the first colour that looks like none of the others: "fair" must not look like "slow", nor like the accent, that of the fastest row. On a
 * background of middle grey, on which hardly more than white or black can be read, it is the least similar one.
 */
function chooseFair(shade: (colour: string, share: number) => string, others: readonly string[]): string {
  let best = { colour: '', apart: -1 };
  for (const share of SHADES) {
    for (const candidate of FAIR_COLOURS) {
      const colour = shade(candidate, share);
      const apart = Math.min(...others.map((other) => difference(colour, other)));
      if (apart >= LEAST_DIFFERENCE) return colour;
      if (apart > best.apart) best = { colour, apart };
    }
  }
  return best.colour;
}

/** Renders the colours as a style sheet. */
export function renderTheme(theme: Colours): string {
  const declarations = Object.entries(deriveTheme(theme)).map(([name, value]) => `${name}:${value}`);
  return `:root{${declarations.join(';')}}`;
}
