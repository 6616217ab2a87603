/** The images that a site folder may hold, by the ending of their name. */
export const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/x-icon'],
]);

/** Everything that the web build emits. */
export const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ...IMAGE_TYPES,
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.wasm', 'application/wasm'],
  ['.woff2', 'font/woff2'],
]);

/** Whether bytes of a type shrink when compressed: pictures and fonts are compressed already. */
export function isCompressible(type: string): boolean {
  return /^text\/|json$|json;|xml$|wasm$|x-icon$/.test(type);
}
