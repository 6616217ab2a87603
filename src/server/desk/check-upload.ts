import { posix } from 'node:path';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { FileFault } from '../../contract/desk/describe-refusal.ts';
import { IMAGE_TYPES } from '../http/media-types.ts';
import { findJsonShapeFault, findJsonSizeFault } from '../site/read-json.ts';
import { readImageSize } from '../site/read-image-size.ts';
import { DeskError } from './desk-error.ts';

const MAX_PATH_CHARS = 200;
/** Larger than any screen. A small file may hold a picture of a billion pixels, which would fill a visitor's memory. */
const MAX_SIDE_PX = 8_192;
/** As `site.json` may name an image, and no name that starts with a dot: those are hidden, and not part of a site. */
const PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const SVG = 'http://www.w3.org/2000/svg';
/** Ten times what a drawing program writes. */
const MAX_SVG_DEPTH = 256;
/** The images inside of an SVG image. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/;
const XHTML = 'http://www.w3.org/1999/xhtml';
/** Elements that run something, or show what another place sends. */
const ACTIVE_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'handler',
  'foreignobject',
  'iframe',
  'embed',
  'object',
  'audio',
  'video',
  // They can turn a harmless link into another one.
  'animate',
  'set',
]);

/** Refuses a path that a site folder must not have. */
export function checkFilePath(path: string): void {
  const isPlain = path.length <= MAX_PATH_CHARS && PATH.test(path);
  const isKnown = path.endsWith('.json') || IMAGE_TYPES.has(posix.extname(path));
  if (isPlain && isKnown) return;
  const endings = ['.json', ...IMAGE_TYPES.keys()];
  const shown = JSON.stringify(path.slice(0, MAX_PATH_CHARS));
  throw new DeskError('file-refused', { kind: 'file-name', path: shown, most: MAX_PATH_CHARS, endings });
}

/** Refuses bytes that are not what the file's name says, and images that could do harm. */
export function checkFileContent(path: string, bytes: Buffer): void {
  const ending = posix.extname(path);
  if (ending === '.json') return refuseIf(path, findJsonFault(bytes));
  if (ending === '.svg') refuseIf(path, findSvgFault(bytes.toString('utf8')));
  else if (!hasSignature(ending, bytes))
    refuseIf(path, { kind: 'other-type', type: ending.slice(1).toUpperCase() });
  refuseIf(path, findSizeFault(bytes));
}

function findJsonFault(bytes: Buffer): FileFault | undefined {
  const fact = findJsonSizeFault(bytes) ?? findJsonShapeFault(bytes.toString('utf8'));
  return fact && { kind: 'json', fact };
}

function findSizeFault(image: Buffer): FileFault | undefined {
  const size = readImageSize(image);
  if (size === undefined || Math.max(size.width, size.height) <= MAX_SIDE_PX) return undefined;
  return { kind: 'pixels', ...size, most: MAX_SIDE_PX };
}

function refuseIf(path: string, fault: FileFault | undefined): void {
  if (fault !== undefined) throw new DeskError('file-refused', { kind: 'file', path, fault });
}

/** The first bytes of a file say what it is. */
function hasSignature(ending: string, bytes: Buffer): boolean {
  const at = (start: number, end: number): string => bytes.toString('latin1', start, end);
  switch (ending) {
    case '.png':
      return at(0, 8) === '\x89PNG\r\n\x1a\n';
    case '.jpg':
    case '.jpeg':
      return at(0, 3) === '\xff\xd8\xff';
    case '.gif':
      return /^GIF8[79]a/.test(at(0, 6));
    case '.webp':
      return at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP';
    case '.avif':
      return at(4, 12) === 'ftypavif' || at(4, 12) === 'ftypavis';
    case '.ico':
      return at(0, 4) === '\0\0\x01\0';
    default:
      return false;
  }
}

/** Ends the parser at the first fault: what comes after it may take long to read. */
class RefusedSvg extends Error {
  override readonly name = 'RefusedSvg';
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** Why an SVG image cannot be taken: it runs something, or loads something from elsewhere. */
export function findSvgFault(text: string): FileFault | undefined {
  const open: { readonly name: string; readonly text: string[] }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => refuse({ kind: 'svg-broken', reason: error.message }));
  parser.on('doctype', () => refuse({ kind: 'svg-doctype' }));
  parser.on('processinginstruction', ({ target }) => refuse({ kind: 'svg-instruction', target }));
  parser.on('opentag', (tag) => {
    if (open.length === 0 && (tag.uri !== SVG || tag.local !== 'svg')) {
      refuse({ kind: 'svg-root', namespace: SVG });
    }
    // The parser looks through all open elements for the namespace of each new one.
    if (open.length === MAX_SVG_DEPTH) refuse({ kind: 'svg-depth', most: MAX_SVG_DEPTH });
    open.push({ name: tag.local.toLowerCase(), text: [] });
    const found = findElementFault(tag);
    if (found !== undefined) refuse(found);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    // A browser joins all text of a style, whatever comments and elements stand between.
    if (closed?.name === 'style' && isLoading(closed.text.join(''))) refuse({ kind: 'svg-style' });
  });
  try {
    parser.write(text).close();
    return undefined;
  } catch (error) {
    if (error instanceof RefusedSvg) return error.fault;
    throw error;
  }

  function addText(content: string): void {
    const element = open.at(-1);
    if (element?.name === 'style') element.text.push(content);
  }
}

function refuse(fault: FileFault): never {
  throw new RefusedSvg(fault);
}

function findElementFault({ uri, local, attributes }: SaxesTagNS): FileFault | undefined {
  const name = local.toLowerCase();
  if (uri === XHTML || ACTIVE_ELEMENTS.has(name) || name.startsWith('animate')) {
    return { kind: 'svg-element', name: local };
  }
  for (const { local: key, value } of Object.values(attributes)) {
    const attribute = key.toLowerCase();
    if (attribute.startsWith('on')) return { kind: 'svg-handler', name: key };
    if (attribute === 'href') {
      const fault = findHrefFault(value.trim());
      if (fault !== undefined) return fault;
    }
    if (attribute !== 'href' && isLoading(value)) {
      return { kind: 'svg-loading', name: key, value: JSON.stringify(value.slice(0, 80)) };
    }
  }
  return undefined;
}

function findHrefFault(href: string): FileFault | undefined {
  if (href.startsWith('#')) return undefined;
  if (!DATA_IMAGE.test(href)) return { kind: 'svg-link', href: JSON.stringify(href.slice(0, 80)) };
  return findSizeFault(Buffer.from(href.slice(href.indexOf(',') + 1), 'base64'));
}

/** Whether a style may load something. A backslash could hide it. */
function isLoading(style: string): boolean {
  const rest = style.replaceAll(/url\(\s*["']?#[\w.:-]*["']?\s*\)/gi, '');
  return /(?:url|src)\s*\(|@import|image-set|javascript:|\\/i.test(rest);
}
