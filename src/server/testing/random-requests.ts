const METHODS = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'BREW',
  'CONNECT',
];
const PATHS = [
  '/',
  '/r',
  '/t',
  '/t/',
  '/api/get_ip',
  '/api/hostnames',
  '/api/measurements',
  '/json/link.json',
  '/json/urls/localhost.json',
  '/assets/app-1a2b3c.js',
  '/site/images/logo.svg',
  'http://evil.example/t',
  '*',
  '//evil.example/%2e%2e',
];
const PIECES = [
  '%00',
  '%ff',
  '../',
  '..%2f',
  '\\',
  '?lang=',
  '&',
  '#',
  ';',
  '%',
  'é',
  '{',
  '__proto__',
  'constructor',
  '~',
  ' ',
];
const HEADERS = [
  'Accept-Encoding',
  'Accept-Language',
  'Cookie',
  'If-None-Match',
  'X-Forwarded-For',
  'Forwarded',
  'RealUserAddr',
  'RealUserID',
  'Content-Type',
  'Range',
  'Expect',
  'Upgrade',
  'Transfer-Encoding',
  'Content-Length',
  'Connection',
  '__proto__',
];
const VALUES = [
  '',
  '*',
  'gzip, br;q=0',
  'zh-TW,en;q=x',
  'waypost.lang=%',
  'W/"x", *',
  '1.2.3.4, ::1, []',
  'for="[::',
  '100-continue',
  'chunked',
  '5',
  '-1',
  '0x7f.1',
  'é\u00ff',
  'close',
  'websocket',
  'bytes=0-',
  // Long ones, of characters that a careless parser reads again and again.
  ...[' ', ',', ';', '.', ':', '"', 'a', 'a b', 'for='].map(
    (piece) => `x${piece.repeat(7_000 / piece.length)}y`,
  ),
];

/** Makes requests up: some well-formed, some nearly so, some noise. */
export function makeRequest(random: () => number): Buffer {
  const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? '';
  const some = (most: number, make: () => string): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  if (random() < 0.1)
    return Buffer.from(some(200, () => String.fromCharCode(random() * 256)).join(''), 'latin1');
  const path = pick(PATHS) + some(3, () => pick(PIECES)).join('');
  const headers = some(5, () => `${pick(HEADERS)}: ${pick(VALUES)}\r\n`).join('');
  const host =
    random() < 0.95 ? `Host: ${pick(['localhost', 'go.demo.example:80', '', '[', 'a b'])}\r\n` : '';
  const body = random() < 0.3 ? pick(['{}', '{"ticket":', 'x'.repeat(3_000), '5\r\nhello\r\n0\r\n\r\n']) : '';
  const length = body !== '' && random() < 0.7 ? `Content-Length: ${body.length}\r\n` : '';
  return Buffer.from(`${pick(METHODS)} ${path} HTTP/1.1\r\n${host}${headers}${length}\r\n${body}`, 'latin1');
}
