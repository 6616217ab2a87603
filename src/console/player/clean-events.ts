import type { RecordedEvent } from './messages.ts';

/** The kinds of events that show a page: loaded, snapshot, change, size. Other kinds belong to plugins; we use none. */
const PLAYED_TYPES = new Set([0, 1, 2, 3, 4]);
const CHANGE_TYPE = 3;
const META_TYPE = 4;
/** Changes of canvases and fonts. Our recorder records neither. */
const LEFT_OUT_SOURCES = new Set([9, 10]);
/** Elements that could load, run or lead to something. Our pages need none of them to look as they did. */
const FORBIDDEN_TAGS = new Set([
  'script',
  'link',
  'meta',
  'base',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'audio',
  'video',
  'portal',
  'fencedframe',
]);
/** What rrweb makes of a script. It is not shown, and its children keep their places. */
const HARMLESS_TAG = 'noscript';
const IMAGE_ATTRIBUTES = new Set(['src', 'srcset', 'poster', 'background', 'xlink:href', 'href']);
const FORBIDDEN_ATTRIBUTE = /^(?:on.*|srcdoc|action|formaction|ping|data|http-equiv|nonce|integrity)$/i;
/** Where the images of a site are, on the portal and on the operator's listener. */
const IMAGES = '/site/';
/** What may follow an address in `srcset`: `2x`, `800w`. */
const IMAGE_SIZE = /^(?:[\d.]+[wxh])?$/;
const MAX_SIDE_PX = 10_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Prepares a recording for the player. Everybody who can reach the intake can write one, so the policy of the player's document
 * forbids scripts and foreign addresses. This removes what no policy covers, such as a `<link rel="preconnect">`, and lets
 * images of the site come from this origin.
 */
export function cleanEvents(events: readonly RecordedEvent[], origin: string): readonly RecordedEvent[] {
  // All of a view comes from one page, so one origin is enough. A forged recording could name thousands.
  const [from = origin] = events.flatMap(findOrigin);
  const text = JSON.stringify(events).replaceAll(`${from}${IMAGES}`, `${origin}${IMAGES}`);
  const clean = (key: string, value: unknown): unknown => {
    if (!isFields(value)) return value;
    if (key === 'attributes') return cleanAttributes(value, origin);
    if (key === 'data') return boundSize(value);
    return Object.hasOwn(value, 'tagName') ? cleanElement(value, value['tagName']) : value;
  };
  return (JSON.parse(text, clean) as readonly RecordedEvent[]).filter(isPlayed);
}

/** The origin of the page that was recorded. */
function findOrigin({ type, data }: RecordedEvent): readonly string[] {
  const href = type === META_TYPE && isFields(data) ? data['href'] : undefined;
  if (typeof href !== 'string' || !/^https?:\/\//.test(href)) return [];
  try {
    return [new URL(href).origin];
  } catch {
    return []; // It is no URL.
  }
}

function isPlayed({ type, timestamp, data }: RecordedEvent): boolean {
  if (!PLAYED_TYPES.has(type) || !Number.isFinite(timestamp)) return false;
  if (type !== CHANGE_TYPE) return true;
  return isFields(data) && !LEFT_OUT_SOURCES.has(Number(data['source'])) && data['isAttachIframe'] !== true;
}

/** A name that is no text is not ours. Browsers would make one of it: `["link"]` is "link". */
function cleanElement(element: Fields, tagName: unknown): Fields {
  if (typeof tagName === 'string' && !FORBIDDEN_TAGS.has(tagName.toLowerCase())) return element;
  const { _cssText: style } = isFields(element['attributes']) ? element['attributes'] : {};
  // The recorder puts the rules of a style sheet in here, and rrweb makes a style element of it.
  if (tagName === 'link' && typeof style === 'string') return { ...element, attributes: { _cssText: style } };
  return { ...element, tagName: HARMLESS_TAG, attributes: {} };
}

function cleanAttributes(attributes: Fields, origin: string): Fields {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): readonly [string, unknown][] => {
      if (FORBIDDEN_ATTRIBUTE.test(name)) return [];
      // Changes of a style come as an object. Of any other object, rrweb would make a text that nobody has checked.
      if (typeof value === 'object' && value !== null && name !== 'style') return [];
      if (!IMAGE_ATTRIBUTES.has(name.toLowerCase()) || value === null) return [[name, value]];
      if (typeof value === 'string' && hasOwnImages(name, value, origin)) return [[name, value]];
      // A link keeps its look, and leads nowhere.
      return name.toLowerCase() === 'href' ? [[name, '#']] : [];
    }),
  );
}

function hasOwnImages(name: string, value: string, origin: string): boolean {
  if (name.toLowerCase() !== 'srcset') return isOwnImage(value, origin);
  return value.split(/[\s,]+/).every((part) => IMAGE_SIZE.test(part) || isOwnImage(part, origin));
}

/** Reads an address as a browser does: `/site/%2e%2e/logout` is `/logout`. */
function isOwnImage(value: string, origin: string): boolean {
  if (value.startsWith('#') || value.startsWith('data:image/')) return true;
  return URL.canParse(value) && new URL(value).href.startsWith(`${origin}${IMAGES}`);
}

function boundSize(data: Fields): Fields {
  const { width, height } = data;
  if (typeof width !== 'number' || typeof height !== 'number') return data;
  return { ...data, width: bound(width), height: bound(height) };
}

function bound(sidePx: number): number {
  return Math.min(Math.max(1, sidePx), MAX_SIDE_PX);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
