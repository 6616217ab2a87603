import type { PageSite } from '../../../contract/page/page-data.ts';
import { DEFAULT_COLOURS, isDark, makeReadable, mix } from '../../../contract/site/colours.ts';

/** The contrast that small text needs: WCAG 2.2, level AA. */
const TEXT_CONTRAST = 4.5;

/** Derives every colour of the pages from the few that a site folder may set. */
export function deriveTheme(theme: PageSite['theme']): Readonly<Record<string, string>> {
  const accent = theme.accent ?? DEFAULT_COLOURS.accent;
  const background = theme.background ?? DEFAULT_COLOURS.background;
  const text = theme.text ?? (isDark(background) ? DEFAULT_COLOURS.text : DEFAULT_COLOURS.background);
  const lift = isDark(background) ? '#ffffff' : '#000000';
  const raised = mix(mix(background, accent, 0.02), lift, 0.07);
  const readable = (colour: string): string => makeReadable(colour, raised, TEXT_CONTRAST);
  return {
    'color-scheme': isDark(background) ? 'dark' : 'light',
    '--background': background,
    '--surface': mix(background, lift, 0.045),
    '--raised': raised,
    '--border': mix(background, lift, 0.14),
    '--control-border': makeReadable(mix(background, text, 0.4), raised, 3),
    '--text': readable(text),
    '--muted': readable(mix(text, background, 0.38)),
    '--accent': accent,
    '--accent-soft': mix(background, accent, 0.14),
    '--accent-bright': mix(accent, '#ffffff', 0.28),
    '--accent-text': readable(accent),
    '--on-accent': makeReadable(
      mix(accent, isDark(accent) ? '#ffffff' : '#000000', 0.82),
      accent,
      TEXT_CONTRAST,
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
