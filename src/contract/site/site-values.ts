import * as v from 'valibot';
import { must } from '../faults/site-fault.ts';
import { COLOUR } from './colours.ts';
import { explainLocale } from './locales.ts';
import { parseHost } from './parse-host.ts';

// The values that `site.json` is made of. Every message is a rule as data, see site-fault.ts.

/** CDNs send this for an address of unknown country. An operator may restrict it like any other. */
export const UNKNOWN_COUNTRY = 'XX';
/** These have a code and a name, but databases of addresses name the countries in them. */
const UNIONS = new Set(['EU', 'EZ', 'UN']);

/** Made once: a list of countries may be long. */
const REGION_NAMES = /* @__PURE__ */ new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export const text = v.pipe(
  v.string(must('text')),
  v.trim(),
  v.minLength(1, must('not-empty')),
  // No `v.regex`: the JSON Schema would keep this pattern, and drop that of a value that is built on this one.
  v.check((given) => /^[\P{Cc}\t\n\r]*$/u.test(given), must('no-control-characters')),
  // JSON can hold one, as "\ud83d". No address can, and chats refuse a message with one.
  v.check((given) => !/\p{Surrogate}/u.test(given), must('no-half-characters')),
);
/** A text that also stands in titles, and in the subject of a mail. */
export const oneLine = v.pipe(text, v.regex(/^\P{Cc}*$/u, must('one-line')));
export const localeTag = v.pipe(
  v.string(must('language-tag')),
  v.check(
    (tag) => explainLocale(tag) === undefined,
    ({ input }) => explainLocale(input) ?? '',
  ),
);
export const mailAddress = v.pipe(v.string(must('mail-address')), v.email(must('mail-address')));
export const webUrl = v.pipe(v.string(must('web-url')), v.check(isWebUrl, must('web-url')));
export const optionalWebUrl = v.optional(v.union([v.literal(''), webUrl], must('empty-or-web-url')), '');
export const imagePath = v.pipe(v.string(must('image-path')), v.check(isRelativePath, must('image-path')));
export const colour = v.pipe(
  v.string(must('colour', {})),
  v.regex(COLOUR, ({ input }) => explainColour(input)),
);
const PERCENT = must('number', { least: 0, most: 100 });
export const percent = v.pipe(v.number(PERCENT), v.minValue(0, PERCENT), v.maxValue(100, PERCENT));
export const count = v.pipe(v.number(must('count')), v.integer(must('count')), v.minValue(1, must('count')));
/** A whole number between two others, both included. */
export function wholeNumber(least: number, most: number) {
  const message = must('whole-number', { least, most });
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}
/** One of these texts. */
export function choice<const Choices extends readonly string[]>(choices: Choices) {
  return v.picklist(choices, must('one-of', { choices }));
}
export const headerName = v.pipe(
  v.string(must('header-name')),
  v.regex(/^[A-Za-z\d-]*$/, must('header-name')),
);
export const port = v.pipe(
  v.number(must('port')),
  v.integer(must('port')),
  v.minValue(1, must('port')),
  v.maxValue(65_535, must('port')),
);
export const hostname = v.pipe(v.string(must('hostname')), v.check(isBareHostname, must('hostname')));
export const region = v.pipe(
  v.string(must('country')),
  v.regex(/^[A-Z]{2}$/, must('country')),
  v.check(
    (code) => explainCountryCode(code) === undefined,
    ({ input }) => explainCountryCode(input) ?? '',
  ),
);

/** A moment, for `Date.parse`. It names its time zone, because servers and operators have their own. */
const moment = v.pipe(v.string(must('moment')), v.check(isMoment, must('moment')));

/** A period. Without `from` it has begun; without `until` it does not end. */
export const timeWindow = { from: v.optional(moment), until: v.optional(moment) };

/** Refuses a window that ends before it begins. */
export function refuseBackwards<T extends { from?: string | undefined; until?: string | undefined }>({
  dataset,
  addIssue,
}: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const { from, until } = dataset.value;
  if (!from || !until || Date.parse(from) < Date.parse(until)) return;
  addIssue({ message: must('after-from'), input: until, path: createPath(['until'], dataset.value) });
}

/** The way to a value inside others, as valibot has it. */
export function createPath(
  keys: readonly (string | number)[],
  root: unknown,
): [v.IssuePathItem, ...v.IssuePathItem[]] {
  let input = root;
  const items = keys.map((key): v.IssuePathItem => {
    const value = (input as Readonly<Record<string | number, unknown>>)[key];
    const item = { type: 'unknown', origin: 'value', input, key, value } as const;
    input = value;
    return item;
  });
  return items as [v.IssuePathItem, ...v.IssuePathItem[]]; // No caller names no key.
}

/** When something is in maintenance, with what else is said of that time. */
export function maintenanceWith<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.array(
    v.pipe(
      v.strictObject({ ...timeWindow, ...entries }),
      v.rawCheck((context) => refuseBackwards(context)),
    ),
    must('list', { example: '[{ "until": "2026-12-01T10:00+08:00", "reason": "new disks" }]' }),
  );
}

function isMoment(time: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  // `Date.parse` takes the 30th of February for the 2nd of March.
  const isDay =
    day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return isDay && !Number.isNaN(Date.parse(time));
}

function explainColour(given: string): string {
  const isShort = /^#[\dA-Fa-f]{3}$/.test(given);
  return must('colour', isShort ? { write: given.replaceAll(/[\dA-Fa-f]/g, '$&$&') } : {});
}

/**
 * Whether a URL may be parsed. To turn a host of 10,000 Chinese letters into ASCII takes a second, and no host has more than
 * 253 letters.
 */
export function hasShortHost(url: string): boolean {
  return /^[^:]*:[/\\]*[^/?#\\]{0,300}(?:[/?#\\]|$)/.test(url);
}

export function isWebUrl(value: string): boolean {
  try {
    return hasShortHost(value) && /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false; // Not a URL at all.
  }
}

function isRelativePath(path: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !path.split('/').includes('..');
}

function isBareHostname(entry: string): boolean {
  const parts = parseHost(entry);
  return parts.kind === 'host' && parts.scheme === undefined && parts.port === undefined;
}

/**
 * Says what is wrong with two letters that are no country's code, such as "UK" for "GB": they would restrict nobody.
 * Undefined for a country code.
 */
function explainCountryCode(code: string): string | undefined {
  // Anything but two letters is reported by another rule.
  if (!/^[A-Z]{2}$/.test(code) || code === UNKNOWN_COUNTRY) return undefined;
  if (UNIONS.has(code)) return must('union-of-countries');
  const { region } = new Intl.Locale(`und-${code}`);
  if (region !== code) return must('country-spelling', { write: region ?? '' });
  return REGION_NAMES.of(code) === undefined ? must('no-country') : undefined;
}
