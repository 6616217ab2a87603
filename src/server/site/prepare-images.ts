import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { PageImage } from '../../contract/page/page-data.ts';
import { IMAGE_TYPES } from '../http/media-types.ts';
import {
  type AnswerHeaders,
  type PreparedAnswer,
  type PreparedFiles,
  prepareAnswer,
} from '../http/prepare-answer.ts';
import { DATA_HEADERS } from '../http/security-headers.ts';
import { listBetterFormats } from './better-formats.ts';
import { readImageSize } from './read-image-size.ts';

export const SITE_IMAGE_PREFIX = '/site/';

export const IMMUTABLE: AnswerHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  ...DATA_HEADERS,
};
export const REVALIDATED: AnswerHeaders = { 'Cache-Control': 'no-cache', ...DATA_HEADERS };

/** In the name of an image, before its ending. */
const HASH = /\.([\w-]{10})(\.\w+)$/;

export type SiteImages = {
  /** The answers by the path they are served under. */
  readonly answers: PreparedFiles;
  /** How a page shows the image at a path of the site folder. */
  readonly imageOf: (path: string) => PageImage;
};

/**
 * Makes the images of a site ready: under a name with their hash, which pages use and browsers keep for good, and under
 * their own name for links from elsewhere.
 */
export async function prepareImages(
  images: ReadonlyMap<string, Buffer>,
  compression: 9 | 'none' = 9,
): Promise<SiteImages> {
  const answers = new Map<string, PreparedAnswer>();
  const urls = new Map<string, string>();
  await Promise.all(
    [...images].map(async ([path, body]) => {
      const content = { body, type: IMAGE_TYPES.get(posix.extname(path)) ?? '', compression } as const;
      const hashed = `${SITE_IMAGE_PREFIX}${addHash(path, body)}`;
      urls.set(path, hashed);
      const lasting = await prepareAnswer({ ...content, headers: IMMUTABLE });
      answers.set(hashed, lasting);
      const { br, gzip } = lasting;
      // Compressed once for both names.
      const bodies = br && gzip ? { br: br.body, gzip: gzip.body } : compression;
      answers.set(
        `${SITE_IMAGE_PREFIX}${path}`,
        await prepareAnswer({ ...content, headers: REVALIDATED, compression: bodies }),
      );
    }),
  );
  const urlOf = (path: string): string => urls.get(path) ?? `${SITE_IMAGE_PREFIX}${path}`;
  return {
    answers,
    imageOf: (path) => ({
      url: urlOf(path),
      size: readImageSize(images.get(path) ?? Buffer.of()),
      sources: listBetterFormats(path)
        .filter((better) => images.has(better))
        .map((better) => ({ type: IMAGE_TYPES.get(posix.extname(better)) ?? '', url: urlOf(better) })),
    }),
  };
}

/**
 * Finds an image by its path. An older page, or a recording of it, may ask for an image that has changed since: it gets the
 * new image, but must not cache it under the old name.
 */
export function findImage(
  { answers }: Pick<SiteImages, 'answers'>,
  path: string,
): PreparedAnswer | undefined {
  return answers.get(path) ?? answers.get(path.replace(HASH, '$2'));
}

/** The start of the hash that the name of an image has, in hexadecimal digits. Undefined for a name without one. */
export function readHashStart(path: string): string | undefined {
  const hash = HASH.exec(path)?.[1];
  return hash && Buffer.from(hash, 'base64url').toString('hex');
}

function addHash(path: string, body: Buffer): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 10);
  const ending = posix.extname(path);
  return `${path.slice(0, -ending.length)}.${digest}${ending}`;
}
