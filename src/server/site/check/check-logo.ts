import type { Rule, SiteFault } from '../../../contract/faults/site-fault.ts';
import { DEFAULT_COLOURS, contrast, isDark } from '../../../contract/site/colours.ts';
import { findOrAdd } from '../../process/find-or-add.ts';
import { chooseLogo } from '../choose-logo.ts';
import { localizeSite } from '../localize-site.ts';
import { SITE_FILE, type Site } from '../parse-site.ts';

/** Enough to see a logo as people see it. One that is much higher than wide would fill the memory at the same width. */
const SIZE_PX = { width: 240, height: 960, fit: 'inside' } as const;
const MAX_PIXELS = 24_000_000;
/** With less contrast a pixel is hardly seen. The limit is low, because the gold of many brands is light. */
const LEAST_CONTRAST = 1.5;
/** At least 60 % of the drawn pixels must be seen. */
const LEAST_SEEN_PERCENT = 60;
/** Of a logo with a background of its own less is enough: it is seen on that background. */
const LEAST_SEEN_OPAQUE_PERCENT = 1;
/** A logo with a background of its own has few clear pixels, such as its corners. */
const MOST_CLEAR_PERCENT = 10;

/** Finds the logos that vanish on the background of the pages, in any language, one fault each. */
export async function checkLogo(
  site: Pick<Site, 'config' | 'links' | 'images'>,
): Promise<readonly SiteFault[]> {
  const background = site.config.theme.background ?? DEFAULT_COLOURS.background;
  const shown = site.config.locales.map((locale) => chooseLogo(localizeSite(site, locale).config));
  const faults = await Promise.all(
    [...new Set(shown)].map(async (image): Promise<readonly SiteFault[]> => {
      const bytes = site.images.get(image);
      const seen = bytes && (await measureSeen(bytes, background));
      if (seen === undefined || seen.percent >= seen.least) return [];
      const rule: Rule = { kind: 'unseen-logo', image, background, seen: Math.round(seen.percent) };
      const key = !isDark(background) && site.config.images.logoLight ? 'logoLight' : 'logo';
      return [{ code: 'low-contrast', values: { rule }, place: { file: SITE_FILE, path: ['images', key] } }];
    }),
  );
  return faults.flat();
}

/** Measures how much of what an image draws can be seen on a background. Undefined if it is no image. */
async function measureSeen(
  image: Uint8Array,
  background: string,
): Promise<{ readonly percent: number; readonly least: number } | undefined> {
  // Imported here, because only a check needs it.
  const { default: sharp } = await import('sharp');
  const pixels = await sharp(image, { limitInputPixels: MAX_PIXELS })
    .resize(SIZE_PX)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer()
    .catch(() => undefined);
  if (!pixels) return undefined;
  let [clear, drawn, seen] = [0, 0, 0];
  // The same colour comes again and again.
  const isSeen = new Map<string, boolean>();
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 128) {
      clear += 1;
      continue;
    }
    drawn += 1;
    const colour = `#${pixels.toString('hex', at, at + 3)}`;
    if (findOrAdd(isSeen, colour, () => contrast(colour, background) >= LEAST_CONTRAST)) seen += 1;
  }
  const isOpaque = clear * 100 < MOST_CLEAR_PERCENT * (clear + drawn);
  return {
    percent: drawn === 0 ? 0 : (seen / drawn) * 100,
    least: isOpaque ? LEAST_SEEN_OPAQUE_PERCENT : LEAST_SEEN_PERCENT,
  };
}
