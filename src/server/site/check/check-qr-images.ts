import type { SiteFault } from '../../../contract/error-codes.ts';
import { localizeSite } from '../localize-site.ts';
import type { Site } from '../parse-site.ts';

/** The QR images of the desktop tabs, and their links. */
const QR_IMAGES = [
  { image: 'walletQr', link: 'wallet' },
  { image: 'telegramQr', link: 'telegram' },
] as const;

/** Finds QR images that are not the code of their link, in any language, one line each. */
export async function checkQrImages(
  site: Pick<Site, 'config' | 'links' | 'images'>,
  decode: (image: Uint8Array) => Promise<string | undefined>,
): Promise<readonly SiteFault[]> {
  const faults = await Promise.all(
    listQrImages(site).map(async ({ path, name, link }): Promise<readonly SiteFault[]> => {
      const bytes = site.images.get(path);
      if (bytes === undefined) return [];
      const found = await decode(bytes);
      if (found !== undefined && isSameLink(found, link)) return [];
      const what = found === undefined ? 'has no QR code that can be read' : `is a QR code of "${found}"`;
      const message = `${path}: ${what}, it must be one of "${link}" (json/link.json: ${name})`;
      return [{ code: 'wrong-qr-code', message }];
    }),
  );
  return faults.flat();
}

type QrImage = { readonly path: string; readonly name: string; readonly link: string };

/** The images with the links that they stand for. Languages may share them. */
function listQrImages(site: Pick<Site, 'config' | 'links'>): readonly QrImage[] {
  const found = site.config.locales.flatMap((locale) => {
    const { config, links } = localizeSite(site, locale);
    return QR_IMAGES.flatMap(({ image, link: name }) => {
      const path = config.images[image];
      const link = links[name];
      // Without an image the page draws the code of the link. A missing or bad link is reported elsewhere.
      return path === undefined || link === undefined ? [] : [{ path, name, link }];
    });
  });
  return [...new Map(found.map((image) => [JSON.stringify(image), image])).values()];
}

/** QR codes write "HTTPS://A.EXAMPLE" to save space. It is the same link. */
function isSameLink(found: string, expected: string): boolean {
  return URL.canParse(found) && new URL(found).href === new URL(expected).href;
}
