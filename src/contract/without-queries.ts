/** What holds an address and nothing else: attributes of elements, and the address of a page. */
const ADDRESS_KEYS = new Set([
  'href',
  'xlink:href',
  'src',
  'action',
  'formaction',
  'poster',
  'data',
  'cite',
  'page',
]);
/** What holds addresses, with blanks between them. */
const ADDRESS_LIST_KEYS = new Set(['srcset', 'imagesrcset', 'ping']);
/** A run that may be an address. An address has none of these characters: browsers write them as `%20` and so on. */
const RUN = /[^\s"<>]+/g;
const QUERY = /[?#]/;
/** The place at the end of an address in a stack, such as `:12:345)`. */
const PLACE = /:\d{1,9}:\d{1,9}\)?$/;
/** What ends a style or a sentence, not an address: `url(…)`. */
const CLOSING = /['),;\]}]{1,4}$/;
const TAIL_CHARS = 24;

/**
 * Writes a value as JSON, without the query and the fragment of any address in it. They may hold what was meant for one
 * person: a coupon, a token, a name. Pages write their recordings with it, and the portal does so again, because it does
 * not trust pages.
 */
export function writeWithoutQueries(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (typeof part === 'string' ? strip(key, part) : part));
}

function strip(key: string, text: string): string {
  // Most texts of a page have neither, and are not looked at any further.
  if (!QUERY.test(text)) return text;
  const name = key.toLowerCase();
  if (ADDRESS_KEYS.has(name)) return text.slice(0, text.search(QUERY));
  const isList = ADDRESS_LIST_KEYS.has(name);
  return text.replace(RUN, (run) => {
    const start = run.search(QUERY);
    if (start === -1 || !(isList || isAddress(run, start))) return run;
    return run.slice(0, start) + findEnd(run.slice(start), key === 'stack' ? PLACE : CLOSING);
  });
}

/** Whether this is more than a question, or the colour or the selector of a style: `Ready?`, `#fff`, `#main`. */
function isAddress(run: string, start: number): boolean {
  return run.slice(0, start).includes('/') || (run[start] === '?' && run.includes('=', start));
}

function findEnd(rest: string, end: RegExp): string {
  return end.exec(rest.slice(-TAIL_CHARS))?.[0] ?? '';
}
