import type { Site } from '../../server/site/parse-site.ts';

/** The QR images of the desktop tabs, and their links. */
const QR_IMAGES = [
  { image: 'walletQr', link: 'wallet' },
  { image: 'telegramQr', link: 'telegram' },
] as const;

/** Finds QR images that are not the code of their link, one line each. */
export async function checkQrImages(
  { config, links, images }: Pick<Site, 'config' | 'links' | 'images'>,
  decode: (image: Uint8Array) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const faults = await Promise.all(
    QR_IMAGES.map(async ({ image, link }) => {
      const path = config.images[image];
      // Without an image the page draws the code of the link.
      const bytes = path === undefined ? undefined : images.get(path);
      const expected = links[link];
      // A missing or bad link is reported elsewhere.
      if (bytes === undefined || expected === undefined) return [];
      const found = await decode(bytes);
      if (found !== undefined && isSameLink(found, expected)) return [];
      const what = found === undefined ? 'has no QR code that can be read' : `is a QR code of "${found}"`;
      return [`${path}: ${what}, it must be one of "${expected}" (json/link.json: ${link})`];
    }),
  );
  return faults.flat();
}

/** QR codes write "HTTPS://A.EXAMPLE" to save space. It is the same link. */
function isSameLink(found: string, expected: string): boolean {
  return URL.canParse(found) && new URL(found).href === new URL(expected).href;
}
