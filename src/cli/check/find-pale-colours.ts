import { DEFAULT_COLOURS, contrast } from '../../contract/site/colours.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';

/** WCAG 2.2, level AA: for small text, and for what has to be told from its ground, such as a button. */
const MIN_CONTRAST = { text: 4.5, accent: 3 } as const;

/** Finds colours of the theme that cannot be told from the background, one line each. */
export function findPaleColours({ theme }: Pick<SiteConfig, 'theme'>): readonly string[] {
  const background = theme.background ?? DEFAULT_COLOURS.background;
  return (['text', 'accent'] as const).flatMap((name) => {
    const colour = theme[name];
    // Our own are chosen to fit any background.
    if (colour === undefined) return [];
    const ratio = contrast(colour, background);
    if (ratio >= MIN_CONTRAST[name]) return [];
    const found = `a contrast of ${ratio.toFixed(1)} to the background ${background}`;
    return [
      `site.json: theme.${name} ${colour} has ${found}, ${MIN_CONTRAST[name]} or more can be read: pages write their texts in another shade, so choose one that fits`,
    ];
  });
}
