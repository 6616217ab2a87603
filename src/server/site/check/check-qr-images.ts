import type { Rule, SiteFault } from '../../../contract/faults/site-fault.ts';
import { isByLocale } from '../../../contract/site/by-locale.ts';
import { FALLBACK_KEY } from '../../../contract/site/locales.ts';
import { localizeSite } from '../localize-site.ts';
import { SITE_FILE, type Site } from '../parse-site.ts';

/** The QR images of the desktop tabs, and their links. */
const QR_IMAGES = [
  { image: 'walletQr', link: 'wallet' },
  { image: 'telegramQr', link: 'telegram' },
] as const;

/** Finds QR images that are not the code of their link, in any language, one fault each. */
export async function checkQrImages(
  site: Pick<Site, 'config' | 'links' | 'images'>,
  decode: (image: Uint8Array) => Promise<readonly string[]>,
): Promise<readonly SiteFault[]> {
  const faults = await Promise.all(
    listQrImages(site).map(async ({ path, name, link, place }): Promise<readonly SiteFault[]> => {
      const bytes = site.images.get(path);
      if (bytes === undefined) return [];
      const codes = await decode(bytes);
      // Of several, a phone may read any.
      const wrong = codes.find((code) => !isSameLink(code, link));
      if (codes.length > 0 && wrong === undefined) return [];
      const found = wrong === undefined ? {} : { found: wrong };
      const rule: Rule = { kind: 'qr-code', image: path, link, name, ...found };
      return [{ code: 'wrong-qr-code', values: { rule }, place: { file: SITE_FILE, path: place } }];
    }),
  );
  return faults.flat();
}

type QrImage = {
  readonly path: string;
  readonly name: string;
  readonly link: string;
  /** The keys of `site.json` that lead to it. */
  readonly place: readonly string[];
};

/** The images with the links that they stand for. Languages may share them. */
function listQrImages(site: Pick<Site, 'config' | 'links'>): readonly QrImage[] {
  const found = site.config.locales.flatMap((locale) => {
    const { config, links } = localizeSite(site, locale);
    return QR_IMAGES.flatMap(({ image, link: name }) => {
      const path = config.images[image];
      const link = links[name];
      // Without an image the page draws the code of the link. A missing or bad link is reported elsewhere.
      if (path === undefined || link === undefined) return [];
      const given = site.config.images[image];
      const key = Object.hasOwn(isByLocale(given) ? given.values : {}, locale) ? locale : FALLBACK_KEY;
      return [{ path, name, link, place: ['images', image, ...(isByLocale(given) ? [key] : [])] }];
    });
  });
  return [...new Map(found.map((image) => [JSON.stringify([image.path, image.link]), image])).values()];
}

/** QR codes write "HTTPS://A.EXAMPLE" to save space. It is the same link. */
function isSameLink(found: string, expected: string): boolean {
  return URL.canParse(found) && new URL(found).href === new URL(expected).href;
}
