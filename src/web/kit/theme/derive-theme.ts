import type { PageSite } from '../../../contract/page/page-data.ts';
import {
  DEFAULT_COLOURS,
  MIN_CONTRAST,
  defaultTextOn,
  isDark,
  makeReadable,
  mix,
} from '../../../contract/site/colours.ts';

/** Derives every colour of the pages from the few that a site folder may set. */
export function deriveTheme(theme: PageSite['theme']): Readonly<Record<string, string>> {
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
    '--accent-text': readable(accent),
    '--on-accent': makeReadable(
      mix(accent, isDark(accent) ? '#ffffff' : '#000000', 0.82),
      accent,
      MIN_CONTRAST.text,
    ),
    '--fast': readable('#36d399'),
    '--fair': readable('#f2b13c'),
    '--slow': readable('#ff8d5c'),
    '--failed': readable('#ff7182'),
  };
}

/** Renders the colours as a style sheet. */
export function renderTheme(theme: PageSite['theme']): string {
  const declarations = Object.entries(deriveTheme(theme)).map(([name, value]) => `${name}:${value}`);
  return `:root{${declarations.join(';')}}`;
}
