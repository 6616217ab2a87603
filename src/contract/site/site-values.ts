import * as v from 'valibot';
import { explainLocale } from './locales.ts';
import { parseHost } from './parse-host.ts';

// The values that `site.json` is made of. Every message completes the sentence "{file}: {path} …", see describe-issues.ts.

/** CDNs send this for an address of unknown country. */
const UNKNOWN_COUNTRY = 'XX';
/** These have a code and a name, but databases of addresses name the countries in them. */
const UNIONS = new Set(['EU', 'EZ', 'UN']);

/** Made once: a list of countries may be long. */
const REGION_NAMES = /* @__PURE__ */ new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export const text = v.pipe(
  v.string('must be a text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  // No `v.regex`: the JSON Schema would keep this pattern, and drop that of a value that is built on this one.
  v.check((given) => /^[\P{Cc}\t\n\r]*$/u.test(given), 'must not have control characters'),
);
/** A text that also stands in titles, and in the subject of a mail. */
export const oneLine = v.pipe(text, v.regex(/^\P{Cc}*$/u, 'must be one line, without control characters'));
export const localeTag = v.pipe(
  v.string('must be the tag of a language such as "vi" or "pt-BR"'),
  v.check(
    (tag) => explainLocale(tag) === undefined,
    ({ input }) => explainLocale(input) ?? '',
  ),
);
export const mailAddress = v.pipe(v.string('must be a mail address'), v.email('must be a mail address'));
export const webUrl = v.pipe(
  v.string('must be a URL'),
  v.check(isWebUrl, 'must be an absolute URL that starts with https:// or http://'),
);
export const optionalWebUrl = v.optional(
  v.union([v.literal(''), webUrl], 'must be empty or an https:// URL'),
  '',
);
export const imagePath = v.pipe(
  v.string('must be the path of an image in the site folder'),
  v.check(isRelativePath, 'must be a path inside the site folder such as "images/logo.svg"'),
);
export const colour = v.pipe(
  v.string('must be a colour such as "#e0b34c"'),
  v.regex(/^#[\dA-Fa-f]{6}$/, ({ input }) => explainColour(input)),
);
export const percent = v.pipe(
  v.number('must be a number from 0 to 100'),
  v.minValue(0, 'must be a number from 0 to 100'),
  v.maxValue(100, 'must be a number from 0 to 100'),
);
export const count = v.pipe(
  v.number('must be a whole number above 0'),
  v.integer('must be a whole number above 0'),
  v.minValue(1, 'must be a whole number above 0'),
);
/** A whole number between two others, both included. */
export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
}
export const headerName = v.pipe(
  v.string('must be the name of a header'),
  v.regex(/^[A-Za-z\d-]*$/, 'must be the name of a header'),
);
export const port = v.pipe(
  v.number('must be a port from 1 to 65535'),
  v.integer('must be a port from 1 to 65535'),
  v.minValue(1, 'must be a port from 1 to 65535'),
  v.maxValue(65_535, 'must be a port from 1 to 65535'),
);
export const hostname = v.pipe(
  v.string('must be a host name such as "go.example"'),
  v.check(isBareHostname, 'must be a host name such as "go.example", without scheme or port'),
);
export const region = v.pipe(
  v.string('must be a two-letter country code such as "GB"'),
  v.regex(/^[A-Z]{2}$/, 'must be a two-letter country code such as "GB"'),
  v.check(
    (code) => explainCountryCode(code) === undefined,
    ({ input }) => explainCountryCode(input) ?? '',
  ),
);

/** A moment, for `Date.parse`. It names its time zone, because servers and operators have their own. */
const moment = v.pipe(
  v.string('must be a time such as "2026-12-01T08:00+08:00"'),
  v.check(isMoment, 'must be a time with its zone such as "2026-12-01T08:00+08:00", on a day that exists'),
);

/**
 * What lasts for a while: from this moment on, until that one. Without `from` it has begun, and without `until` it goes on.
 */
export const timeWindow = { from: v.optional(moment), until: v.optional(moment) };

/** Refuses a window that ends before it begins. */
export function refuseBackwards<T extends { from?: string | undefined; until?: string | undefined }>({
  dataset,
  addIssue,
}: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const { from, until } = dataset.value;
  if (!from || !until || Date.parse(from) < Date.parse(until)) return;
  addIssue({
    message: 'must be later than "from"',
    input: until,
    path: [{ type: 'object', origin: 'value', input: dataset.value, key: 'until', value: until }],
  });
}

/** When something is in maintenance, with what else is said of that time. */
export function maintenanceWith<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.array(
    v.pipe(
      v.strictObject({ ...timeWindow, ...entries }),
      v.rawCheck((context) => refuseBackwards(context)),
    ),
    'must be a list such as [{ "until": "2026-12-01T10:00+08:00", "reason": "new disks" }]',
  );
}

function isMoment(time: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  // `Date.parse` takes the 30th of February for the 2nd of March.
  const isDay =
    day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return isDay && !Number.isNaN(Date.parse(time));
}

/** Completes the sentence "theme.accent …". */
function explainColour(given: string): string {
  const isShort = /^#[\dA-Fa-f]{3}$/.test(given);
  const whole = given.replaceAll(/[\dA-Fa-f]/g, '$&$&');
  return isShort ? `must be a colour of six digits: write "${whole}"` : 'must be a colour such as "#e0b34c"';
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
 * Explains two letters that are no country code, such as "UK" for "GB": they would restrict nobody. Undefined for a
 * country code. Completes the sentence "compliance.restrictedRegions[0] …".
 */
function explainCountryCode(code: string): string | undefined {
  // Anything but two letters is reported by another rule.
  if (!/^[A-Z]{2}$/.test(code) || code === UNKNOWN_COUNTRY) return undefined;
  if (UNIONS.has(code)) return 'is not a country: name each of its countries';
  const { region } = new Intl.Locale(`und-${code}`);
  if (region !== code) return `is not the code in use: write "${region}"`;
  return REGION_NAMES.of(code) === undefined ? 'is not the code of a country (ISO 3166-1)' : undefined;
}
