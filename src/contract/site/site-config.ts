import * as v from 'valibot';
import { FALLBACK_HOSTS, LINE_PORTS, REPLAY_SAMPLE_PERCENT, SESSION_SAMPLE_PERCENT } from '../limits.ts';
import { DEFAULT_MARKER_HEADER } from '../api/headers.ts';
import { DEFAULT_LOCALE, LOCALES } from './locales.ts';
import { closestName } from './closest-name.ts';
import { explainCountryCode } from './country-code.ts';
import { explainHost } from './explain-host.ts';
import { parseHost } from './parse-host.ts';
import { EMPTIABLE_TEXT_KEYS, TEXT_KEYS } from './text-keys.ts';

// Every message completes the sentence "{file}: {path} …", see describe-issues.ts.
const text = v.pipe(v.string('must be a text'), v.trim(), v.minLength(1, 'must not be empty'));
const localeName = v.picklist(LOCALES, `must be one of ${LOCALES.join(', ')}`);
const webUrl = v.pipe(
  v.string('must be a URL'),
  v.check(isWebUrl, 'must be an absolute URL that starts with https:// or http://'),
);
const optionalWebUrl = v.optional(v.union([v.literal(''), webUrl], 'must be empty or an https:// URL'), '');
const imagePath = v.pipe(
  v.string('must be the path of an image in the site folder'),
  v.check(isRelativePath, 'must be a path inside the site folder such as "images/logo.svg"'),
);
const colour = v.pipe(
  v.string('must be a colour such as "#e0b34c"'),
  v.regex(/^#[\dA-Fa-f]{6}$/, 'must be a colour such as "#e0b34c"'),
);
const percent = v.pipe(
  v.number('must be a number from 0 to 100'),
  v.minValue(0, 'must be a number from 0 to 100'),
  v.maxValue(100, 'must be a number from 0 to 100'),
);
const count = v.pipe(
  v.number('must be a whole number above 0'),
  v.integer('must be a whole number above 0'),
  v.minValue(1, 'must be a whole number above 0'),
);
const headerName = v.pipe(
  v.string('must be the name of a header'),
  v.regex(/^[A-Za-z\d-]*$/, 'must be the name of a header'),
);
const HOST_HINT = 'must be a host such as "line1.example"';
const host = v.pipe(
  v.string(HOST_HINT),
  v.check(
    (entry) => parseHost(entry).kind === 'host',
    ({ input }) => explainHost(input),
  ),
);
const lineHost = v.union(
  [
    host,
    v.strictObject({
      host,
      noWWW: v.optional(v.boolean('must be true or false')),
      weight: v.optional(
        v.pipe(v.number('must be a number above 0'), v.gtValue(0, 'must be a number above 0')),
      ),
    }),
  ],
  (issue) => firstMessage(issue.issues) ?? `${HOST_HINT}, or an object with host, noWWW and weight`,
);
const port = v.pipe(
  v.number('must be a port from 1 to 65535'),
  v.integer('must be a port from 1 to 65535'),
  v.minValue(1, 'must be a port from 1 to 65535'),
  v.maxValue(65_535, 'must be a port from 1 to 65535'),
);
const hostname = v.pipe(
  v.string('must be a host name such as "go.example"'),
  v.check(isBareHostname, 'must be a host name such as "go.example", without scheme or port'),
);
const region = v.pipe(
  v.string('must be a two-letter country code such as "GB"'),
  v.regex(/^[A-Z]{2}$/, 'must be a two-letter country code such as "GB"'),
  v.check(
    (code) => explainCountryCode(code) === undefined,
    ({ input }) => explainCountryCode(input) ?? '',
  ),
);

const textOverrides = v.pipe(
  v.record(
    v.picklist(TEXT_KEYS, ({ input }) => `is not the key of a text: ${suggestTextKey(String(input))}`),
    v.pipe(v.string('must be a text'), v.trim()),
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [key, value] of Object.entries(dataset.value)) {
      const isEmptiable = EMPTIABLE_TEXT_KEYS.some((emptiable) => emptiable === key);
      if (value !== '' || isEmptiable) continue;
      addIssue({
        message: 'must not be empty',
        input: value,
        path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
      });
    }
  }),
);

/** `site.json`: everything about a brand that is not a link, an image or a target's address. */
export const siteConfigSchema = v.strictObject({
  /** Where an editor finds the JSON Schema of this file, see `site/site.schema.json`. */
  $schema: v.optional(v.string('must be the path of a JSON Schema')),
  brand: v.strictObject({
    name: text,
    mainBrowser: text,
    androidBrowser: text,
    email: v.pipe(v.string('must be a mail address'), v.email('must be a mail address')),
    copyright: text,
  }),
  defaultLocale: v.optional(localeName, DEFAULT_LOCALE),
  /** Where the site is reached, for what leaves it: the share image must be named in full. */
  publicUrl: optionalWebUrl,
  /** Texts that replace our own, by locale and key. */
  texts: v.optional(v.record(localeName, textOverrides), {}),
  announcement: v.optional(v.record(localeName, v.strictObject({ text, url: v.optional(webUrl) })), {}),
  /** The colours from which every other one is derived. */
  theme: v.optional(
    v.strictObject({
      accent: v.optional(colour),
      background: v.optional(colour),
      text: v.optional(colour),
    }),
    {},
  ),
  /** An `.avif` or `.webp` file beside one of these, of the same name, is offered to browsers that can show it. */
  images: v.strictObject({
    logo: imagePath,
    promo: imagePath,
    bannerMobile: imagePath,
    bannerDesktop: imagePath,
    /** Without these two the page draws a code of the link. */
    walletQr: v.optional(imagePath),
    telegramQr: v.optional(imagePath),
    favicon: v.optional(imagePath),
    share: v.optional(imagePath),
  }),
  lines: v.pipe(
    v.strictObject({
      /** What a line must say of itself, exactly, in `markerHeader`. */
      marker: v.pipe(
        text,
        v.regex(/^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/, 'must be printable ASCII'),
      ),
      markerHeader: v.optional(
        v.pipe(headerName, v.minLength(1, 'must not be empty')),
        DEFAULT_MARKER_HEADER,
      ),
      hosts: v.pipe(
        v.array(lineHost, 'must be a list of hosts'),
        v.minLength(1, 'must name at least one host'),
        v.rawCheck((context) => refuseRepeated(context)),
        // From here on every entry is an object.
        v.transform((entries) =>
          entries.map((entry) => (typeof entry === 'string' ? { host: entry } : entry)),
        ),
      ),
      fallback: v.pipe(
        v.array(host, 'must be a list of hosts'),
        v.length(FALLBACK_HOSTS, `must name exactly ${FALLBACK_HOSTS} hosts`),
        v.rawCheck((context) => refuseRepeated(context)),
      ),
      ports: v.optional(v.array(port, 'must be a list of ports'), [...LINE_PORTS]),
      steering: v.optional(
        v.picklist(['measured', 'uniform'], 'must be "measured" or "uniform"'),
        'measured',
      ),
    }),
    v.rawCheck((context) => refuseShared(context)),
  ),
  typeRedirect: v.strictObject({
    allowedHosts: v.pipe(
      v.array(hostname, 'must be a list of host names'),
      v.minLength(1, 'must name at least one host'),
    ),
  }),
  redirect: v.optional(
    v.strictObject({ keepQuery: v.optional(v.boolean('must be true or false'), false) }),
    {},
  ),
  services: v.optional(
    v.strictObject({
      /** The base URL of a caller's-address service that is deployed apart; empty means this server's own. */
      callerAddress: v.pipe(optionalWebUrl, v.transform(dropEndingSlashes)),
    }),
    {},
  ),
  analytics: v.optional(
    v.strictObject({
      measurementId: v.optional(v.string('must be a text'), ''),
      tagUrl: optionalWebUrl,
    }),
    {},
  ),
  monitoring: v.optional(
    v.strictObject({
      intakeUrl: optionalWebUrl,
      sessionPercent: v.optional(percent, SESSION_SAMPLE_PERCENT),
      /** Of the sampled sessions. */
      replayPercent: v.optional(percent, REPLAY_SAMPLE_PERCENT),
    }),
    {},
  ),
  consent: v.optional(
    v.picklist(['required', 'not-required'], 'must be "required" or "not-required"'),
    'not-required',
  ),
  network: v.optional(
    v.strictObject({
      /** CIDR ranges whose word about a caller's address is believed. */
      trustedProxies: v.optional(v.array(v.string('must be a range such as "10.0.0.0/8"')), []),
      clientAddressHeader: v.optional(headerName, ''),
      countryHeader: v.optional(headerName, ''),
      /** One that knows countries, one that knows autonomous systems, or a list of both. */
      mmdb: v.optional(
        v.union(
          [v.string(), v.array(v.string())],
          'must be the path of an mmdb file, or a list of such paths',
        ),
        '',
      ),
      /** Whether a site with restricted regions serves callers whose region is not known. */
      unknownRegion: v.optional(v.picklist(['closed', 'open'], 'must be "closed" or "open"'), 'closed'),
    }),
    {},
  ),
  limits: v.optional(
    v.strictObject({
      apiPerMinute: v.optional(count, 600),
      reportsPerNetwork: v.optional(count, 10),
      /** CIDR ranges whose addresses are each shared by many visitors, such as a carrier's: no limit by address holds them. */
      exempt: v.optional(
        v.array(v.string('must be a range such as "198.51.100.0/24"'), 'must be a list of ranges'),
        [],
      ),
    }),
    {},
  ),
  compliance: v.strictObject({
    operator: text,
    licence: v.strictObject({ statement: text, url: webUrl }),
    minimumAge: count,
    responsiblePlayUrl: webUrl,
    restrictedRegions: v.optional(v.array(region, 'must be a list of country codes'), []),
  }),
});

export type SiteConfig = v.InferOutput<typeof siteConfigSchema>;

function isWebUrl(value: string): boolean {
  try {
    return /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false; // Not a URL at all.
  }
}

function dropEndingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

function isRelativePath(path: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !path.split('/').includes('..');
}

function isBareHostname(entry: string): boolean {
  const parts = parseHost(entry);
  return parts.kind === 'host' && parts.scheme === undefined && parts.port === undefined;
}

type NamedHost = string | { readonly host: string };

/** A host that is named twice would stand in one row only, and leave another empty. */
function refuseRepeated<T extends NamedHost[]>({ dataset, addIssue }: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const seen = new Set<string>();
  for (const [key, value] of dataset.value.entries()) {
    const name = canonicalHost(value);
    if (seen.has(name)) {
      addIssue({
        message: 'must be a host that is not named before',
        input: value,
        path: [{ type: 'array', origin: 'value', input: dataset.value, key, value }],
      });
    }
    seen.add(name);
  }
}

/** A fallback host that is a line as well is no safety net for that line, and would stand in one row only. */
function refuseShared<T extends { hosts: NamedHost[]; fallback: NamedHost[] }>({
  dataset,
  addIssue,
}: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const { hosts, fallback } = dataset.value;
  const lines = new Set(hosts.map(canonicalHost));
  for (const [key, value] of fallback.entries()) {
    if (!lines.has(canonicalHost(value))) continue;
    addIssue({
      message: 'must be a host that is not in lines.hosts',
      input: value,
      path: [
        { type: 'object', origin: 'value', input: dataset.value, key: 'fallback', value: fallback },
        { type: 'array', origin: 'value', input: fallback, key, value },
      ],
    });
  }
}

/** What is refused has no other name than its own. */
function canonicalHost(entry: NamedHost): string {
  const given = typeof entry === 'string' ? entry : entry.host;
  const parts = parseHost(given);
  return parts.kind === 'host' ? parts.host : given;
}

function suggestTextKey(typed: string): string {
  const closest = closestName(typed, TEXT_KEYS);
  return closest === undefined ? 'docs/texts.md lists them all' : `did you mean "${closest}"?`;
}

function firstMessage(issues: readonly { readonly message: string }[] | undefined): string | undefined {
  return issues?.[0]?.message;
}
