import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { isCompressible } from './media-types.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** One encoding of an answer. */
export type Variant = { readonly body: Buffer; readonly headers: AnswerHeaders };

/** An answer with every encoding made ahead of time, so that a request costs no work on bytes. */
export type PreparedAnswer = {
  readonly identity: Variant;
  readonly br: Variant | undefined;
  readonly gzip: Variant | undefined;
};

/** Answers by the path that they are served under. */
export type PreparedFiles = ReadonlyMap<string, PreparedAnswer>;

export type AnswerContent = {
  readonly body: string | Buffer;
  readonly type: string;
  readonly headers: AnswerHeaders;
  /**
   * The quality of brotli, or bytes that are already compressed. 11 is the smallest; 9 is nearly as small in a tenth of the
   * time, for what must be live within a second. "none" is for what hardly anybody fetches.
   */
  readonly compression: 9 | 11 | 'none' | CompressedBodies;
};

export type CompressedBodies = { readonly br: Buffer; readonly gzip: Buffer };

/** What a caller may take an answer in, the smallest first. */
export type Encoding = 'br' | 'gzip';

/**
 * For what is made for one request. Of a landing page, 5 makes a tenth more bytes than 11 does, in a hundredth of the
 * time.
 */
const QUICK_QUALITY = 5;
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Makes an answer ready to be sent as it is. */
export async function prepareAnswer({
  body,
  type,
  headers,
  compression,
}: AnswerContent): Promise<PreparedAnswer> {
  const bytes = Buffer.from(body);
  // Weak, because one tag stands for every encoding of the same content.
  const etag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  const base = { 'Content-Type': type, ETag: etag, ...headers };
  if (!isCompressible(type) || compression === 'none') {
    return { identity: makeVariant(bytes, base), br: undefined, gzip: undefined };
  }
  const negotiated = { ...base, Vary: [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ') };
  const { br, gzip: zipped } =
    typeof compression === 'number' ? await compress(bytes, compression) : compression;
  const makeSmaller = (encoded: Buffer, encoding: string): Variant | undefined =>
    encoded.length < bytes.length
      ? makeVariant(encoded, { ...negotiated, 'Content-Encoding': encoding })
      : undefined;
  return {
    identity: makeVariant(bytes, negotiated),
    br: makeSmaller(br, 'br'),
    gzip: makeSmaller(zipped, 'gzip'),
  };
}

/**
 * Compresses what was made for one request. At once, and not in Node's threads: there are four of them, and a disk that
 * hangs may hold them all.
 */
export function compressQuickly(body: string, encoding: Encoding): Buffer {
  const bytes = Buffer.from(body);
  return encoding === 'br' ? brotliCompressSync(bytes, brotliOptions(bytes, QUICK_QUALITY)) : gzipSync(bytes);
}

async function compress(bytes: Buffer, brotliQuality: number): Promise<CompressedBodies> {
  const [br, zipped] = await Promise.all([
    compressBrotli(bytes, brotliOptions(bytes, brotliQuality)),
    compressGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip: zipped };
}

function makeVariant(body: Buffer, headers: AnswerHeaders): Variant {
  return { body, headers: { ...headers, 'Content-Length': String(body.length) } };
}

function brotliOptions(bytes: Buffer, quality: number): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits(bytes.length),
    },
  };
}

/**
 * The smallest window that holds all bytes. Brotli clears memory for its window: with the default one, of 4 MB, a page takes
 * ten times as long at quality 9, and gets no smaller.
 */
function brotliWindowBits(length: number): number {
  // Brotli keeps 16 bytes of a window for itself.
  const bits = Math.ceil(Math.log2(length + 16));
  return Math.min(Math.max(bits, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}
