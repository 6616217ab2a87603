import { type DraftJson, type Path, SITE_FILE, readValue } from '../store/draft-files.ts';

export const IMAGE_NAMES = [
  'logo',
  'logoLight',
  'promo',
  'bannerMobile',
  'bannerDesktop',
  'walletQr',
  'telegramQr',
  'favicon',
  'share',
] as const;

export type ImageName = (typeof IMAGE_NAMES)[number];

const ENDINGS: ReadonlySet<string> = new Set(['svg', 'png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'ico']);

/** The ending of an image's file, in lower case. Undefined if it is no image. */
export function readEnding(fileName: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(fileName.toLowerCase()) ?? [];
  return ENDINGS.has(ending) ? ending : undefined;
}

/** The new image gets the old one's path with its own ending, unless another image uses that path, too. */
export function chooseImagePath(
  json: DraftJson,
  { path, ending }: { readonly path: Path; readonly ending: string },
): string {
  const present = readValue(json, { file: SITE_FILE, path });
  const isShared = listUsed(json).filter((used) => used === present).length > 1;
  if (typeof present === 'string' && !isShared) return `${stemOf(present)}.${ending}`;
  const [, ...names] = path;
  return `images/${names.map(String).join('-').toLowerCase()}.${ending}`;
}

/**
 * Whether the old file must be removed. The server itself replaces AVIF and WebP files beside the new one, which browsers
 * would show instead of it.
 */
export function isStale(json: DraftJson, before: unknown, after: string): before is string {
  if (typeof before !== 'string' || before === after || /\.(?:avif|webp)$/.test(before)) return false;
  // Another image may name the same file.
  return listUsed(json).filter((path) => path === before).length === 1;
}

/** Every path that `site.json` names as an image. */
function listUsed(json: DraftJson): readonly string[] {
  const images = Object(readValue(json, { file: SITE_FILE, path: ['images'] })) as object;
  const campaigns = Object(readValue(json, { file: SITE_FILE, path: ['campaigns'] })) as object;
  const shared = Object.values(campaigns).flatMap(
    (campaign: { readonly image?: unknown } | null) => campaign?.image ?? [],
  );
  return [...Object.values(images), ...shared].flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : Object.values(Object(value) as object).map(String),
  );
}

function stemOf(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}
