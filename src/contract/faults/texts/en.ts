type Guess = { readonly meant?: string | undefined };
type Range = { readonly least: number; readonly most: number };
type Size = { readonly most: number; readonly found: number };
type Names = { readonly names: readonly string[] };

/** What is wrong with a site folder, in English, without a full stop. */
export const en = {
  /** The name of a file as a whole, in the place of a path. */
  theFile: 'the file',
  breaks: (at: string, rule: string) => `${at} ${rule}`,
  /** Where a value may be plain, or an object with one for each language. */
  orByLanguage: (sentence: string) =>
    `${sentence}, or an object by language such as { "default": "…", "en": "…" }`,
  got: (sentence: string, value: string) => `${sentence}, got ${value}`,

  /** Each completes a sentence such as "lines.ports[0] …". */
  rules: {
    text: 'must be a text',
    'not-empty': 'must not be empty',
    'no-control-characters': 'must not have control characters',
    'no-half-characters': 'must not have half a character, such as "\\ud83d"',
    'one-line': 'must be one line, without control characters',
    ascii: 'must be printable ASCII',
    boolean: 'must be true or false',
    'number-above-0': 'must be a number above 0',
    count: 'must be a whole number above 0',
    number: ({ least, most }: Range) => `must be a number from ${least} to ${most}`,
    'whole-number': ({ least, most }: Range) => `must be a whole number from ${least} to ${most}`,
    port: 'must be a port from 1 to 65535',
    'one-of': ({ choices }: Choices) => `must be ${joinByOr(choices.map(quote))}`,
    list: ({ example }: { readonly example?: string }) =>
      example === undefined ? 'must be a list' : `must be a list such as ${example}`,
    'at-least-one': ({ of }: { readonly of: Thing }) => `must name at least one ${THINGS[of].one}`,
    'at-most': ({ most, of }: Amount) => `must name at most ${most} ${THINGS[of].many}`,
    exactly: ({ most, of }: Amount) => `must name exactly ${most} ${THINGS[of].many}`,
    items: ({ most }: { readonly most: number }) => `may have at most ${count(most)} items`,
    characters: ({ most }: { readonly most: number }) => `may have at most ${count(most)} characters`,
    object: ({ keys }: { readonly keys: readonly string[] }) =>
      keys.length === 0 ? 'must be an object' : `must be an object with the keys ${keys.join(', ')}`,
    'not-valid': 'is not valid',
    missing: ({ example, choices }: Choices & { readonly example: string }) =>
      `is missing: write ${example}${choices.length > 0 ? ` (${joinByOr(choices.map(quote))})` : ''}`,
    twice: 'is there twice: remove one',
    'unknown-key': ({ known, meant }: Guess & Known) => `is not a known key: ${suggest({ known, meant })}`,
    'person-name': 'must be a name of 1 to 64 letters, digits, spaces and . _ @ + -, such as "li.wei"',
    'json-schema': 'must be the path of a JSON Schema',
    'session-id': 'must be the id of a session',
    day: 'must be a day such as 2026-11-16',
    erasure: 'must be { "session": "…" } with the id of a session, or { "before": "2026-11-16" }',

    'language-tag': 'must be the tag of a language such as "vi" or "pt-BR"',
    'language-spelling': ({ write }: Write) => `is not how the language is written: write ${quote(write)}`,
    'no-language': ({ meant }: Guess) =>
      `is not the code of a language (ISO 639-1)${meant === undefined ? '' : `: did you mean ${quote(meant)}?`}`,
    'unknown-language': ({ known, meant, isLanguage }: Guess & Known & { readonly isLanguage: boolean }) =>
      meant === undefined
        ? `is not in locales: ${isLanguage ? 'add it there, or ' : ''}write one of ${known.join(', ')}`
        : `is not in locales: did you mean ${quote(meant)}?${isLanguage ? ' Otherwise add it there, or take it out here' : ''}`,
    'text-key': ({ meant }: Guess) =>
      `is not the key of a text: ${meant === undefined ? 'docs/texts.md lists them all' : `did you mean ${quote(meant)}?`}`,
    country: 'must be a two-letter country code such as "GB"',
    'union-of-countries': 'is not a country: name each of its countries',
    'country-spelling': ({ write }: Write) => `is not the code in use: write ${quote(write)}`,
    'no-country': 'is not the code of a country (ISO 3166-1)',
    moment: 'must be a time with its zone such as "2026-12-01T08:00+08:00", on a day that exists',
    'after-from': 'must be later than "from"',
    colour: ({ write }: Partial<Write>) =>
      write === undefined
        ? 'must be a colour such as "#e0b34c"'
        : `must be a colour of six digits: write ${quote(write)}`,
    download: ({ known, meant }: Guess & Known) => `is not a download: ${suggest({ known, meant })}`,
    'offline-days': ({ most }: { readonly most: number }) =>
      `must be ${most} where compliance.restrictedRegions names regions`,

    'mail-address': 'must be a mail address',
    'web-url': 'must be an absolute URL that starts with https:// or http://',
    'empty-or-web-url': 'must be empty, or a URL that starts with https:// or http://',
    'intake-url': 'must be empty, "self", or a URL that starts with https:// or http://',
    link: ({ schemes }: { readonly schemes: readonly string[] }) =>
      `must be a link that starts with ${schemes.join(', ')}`,
    'header-name': 'must be the name of a header',
    path: 'must be a path such as "/health"',
    range: 'must be a range such as "10.0.0.0/8"',
    network: 'must be a network such as "AS64500" or "203.0.113.0/24"',
    hostname: 'must be a host name such as "go.example", without scheme or port',
    host: 'must be a host such as "line1.example"',
    'line-entry': 'must be a host such as "line1.example", or an object with host, noWWW and weight',
    'host-scheme': ({ scheme }: { readonly scheme: string }) =>
      `has the scheme ${quote(scheme)}: write https://, http:// or none`,
    'broken-scheme': ({ write }: Write) => `has a scheme without "://": write ${quote(write)}`,
    'more-than-host': ({ part, write }: Write & { readonly part: HostPart }) =>
      `has ${HOST_PARTS[part]}: write ${quote(write)} only`,
    'host-comma': 'has a comma: write each host as a text of its own, such as "line1.example"',
    'host-space': 'has a space: write a host such as "line1.example"',
    'host-port': ({ port }: { readonly port: string }) => `has the port ${port}: write one from 1 to 65535`,
    'plain-host': 'must be a host such as "line1.example": it is no plain host',
    'not-a-line': 'must be a host that is not in lines.hosts',
    'json-value': 'must be a text, a number, true, false or null',
    'text-or-json': 'must not have both text and json',
    'links-file': 'must be an object of links: { "ub": "https://…", … }',
    'target-file': 'must be an object of hosts: { "a": "line1.example" }',
    'empty-target': 'must name at least one host: { "a": "line1.example" }',

    'image-path': 'must be a path inside the site folder such as "images/logo.svg"',
    'image-type': ({ types }: { readonly types: readonly string[] }) =>
      `must be an image (${types.join(', ')})`,
    'image-file': ({ path, isEmpty, isOptional }: ImageFile) =>
      `must be an image in the site folder, got ${quote(path)}: ${isEmpty ? 'the file is empty' : 'there is no such file'}${isOptional ? ' (the key may be left out)' : ''}`,
    'qr-code': ({ image, link, name, found }: QrCode) =>
      `must be the QR code of ${quote(link)} (json/link.json: ${name}), and ${image} ${found === undefined ? 'has none that can be read' : `is one of ${quote(found)}`}`,
    'image-shape': ({ image, width, height, least, most }: Range & ImageSize) =>
      `is ${image} with ${width} × ${height} pixels, which does not fit its place: its width must be ${least} to ${most} times its height`,
    'image-too-small': ({ image, width, height }: ImageSize) =>
      `is ${image} with ${width} × ${height} pixels, which is too small to be seen`,

    'campaign-code': 'must be a code of 1 to 40 small letters, digits and -, such as "spring-cup"',
    'campaign-to':
      'must be "line", "landing", "target:NAME" (a file of json/urls) or "link:NAME" (a link of json/link.json)',
    'link-name': ({ known, meant }: Guess & Known) =>
      `must be "link:NAME" with the name of a link: ${suggest({ known, meant })}`,
    'known-target': ({ known, meant }: Guess & Known) =>
      `must be "target:NAME" with the name of a file of json/urls: ${known.length === 0 ? 'there is none' : suggest({ known, meant })}`,
    'campaign-path':
      'must be a path such as "/promo/spring", without "?", "#" or spaces: put parameters into "query"',
    'campaign-needs-line': 'is for links that end at a line: take it out, or write "to": "line"',
    'campaign-condition':
      'fits every visitor: name a device or a country, or take it out and change the campaign itself',
    'campaign-never':
      'can never fit, because the rules before it fit all of its visitors: move it up, or take it out',
    'link-missing': ({ name }: { readonly name: string }) =>
      `leads to the landing page, because json/link.json has no usable ${quote(name)}`,
    'image-too-large': ({ image, most, found }: Size & { readonly image: string }) =>
      `is ${image} with ${count(found)} bytes: programs that show a link skip pictures above ${count(most)} bytes`,

    'channel-object': 'must be an object with the keys name, kind and those of its kind',
    'channel-kind':
      'must be "webhook", "telegram", "mail", "slack", "discord", "teams", "feishu" (also for Lark), "dingtalk", "wecom" or "pagerduty"',
    'time-zone': 'must be the name of a time zone, such as "Asia/Singapore"',
    name: 'must be a name of at most 32 letters, digits, - and _, such as "night"',
    'name-taken': 'must have a name that no channel before it has',
    'known-channel': ({ known }: Known) =>
      `must be the name of a channel in alerts.channels${known.length > 0 ? `: ${known.join(', ')}` : ''}`,
    'mail-channel': ({ known }: Known) =>
      `must be the name of a channel of kind "mail" in alerts.channels${known.length > 0 ? `: ${known.join(', ')}` : ', and there is none'}`,
    secret:
      'must say where the secret is: "env:WAYPOST_ALERT_…" (a variable), or "file:NAME" (a file in the folder "secrets" of the data folder)',
    'json-template':
      'must be JSON, with placeholders such as {{title}} inside its texts: docs/alerts.md has examples',
    placeholder: ({ name, known, meant }: Guess & Known & { readonly name: string }) =>
      `has {{${name}}}, which is no placeholder: ${meant === undefined ? `write one of ${known.join(', ')}` : `did you mean {{${meant}}}?`}`,
    chat: 'must be the id of a chat, as a text such as "-1001234567890" or "@channel"',
    'mail-server':
      'must be a mail server such as "smtp://mail.example:587" (STARTTLS) or "smtps://mail.example:465" (TLS)',
    'incident-kind': ({ known }: Known) => `must be one of ${known.join(', ')}`,
    reminder: ({ least }: { readonly least: number }) =>
      `must be at least ${least}: leave it out for no reminders`,
    hours: 'must be hours with a time zone such as "22:00-08:00 Asia/Singapore"',

    'mmdb-path': 'must be the path of an mmdb file, or a list of such paths',
    'mmdb-missing': ({ path, at }: { readonly path: string; readonly at: string }) =>
      `must be the path of an mmdb file, got ${quote(path)}: there is no file ${at}`,
    'mmdb-unreadable': ({ path, reason }: { readonly path: string; readonly reason: string }) =>
      `must be the path of an mmdb file, got ${quote(path)}: ${reason}`,
    'mmdb-useless': ({ path }: { readonly path: string }) =>
      `${quote(path)} has neither countries (country.iso_code or country_code) nor autonomous systems (autonomous_system_number): take another file`,
    'mmdb-one-family': ({
      path,
      has,
      lacks,
    }: {
      readonly path: string;
      readonly has: string;
      readonly lacks: string;
    }) => `${quote(path)} holds ${has} addresses only: a visitor with an ${lacks} address is unknown`,
    'mmdb-damaged': ({ path, address }: { readonly path: string; readonly address: string }) =>
      `${quote(path)} has records that cannot be read, such as that of ${address}: download it again`,
    'needs-countries':
      "needs a way to tell a caller's country: set network.mmdb, or network.countryHeader together with network.trustedProxies",
    'needs-country-file': 'needs countries, and network.mmdb holds none: add a file of countries',
    'needs-systems':
      'names autonomous systems, and nothing tells those of a caller: set network.mmdb, or write ranges such as "203.0.113.0/24"',
    'needs-system-file': 'needs autonomous systems, and network.mmdb holds none: add a file of them',

    'missing-texts': ({
      names,
      all,
      instead,
    }: Names & { readonly all: number; readonly instead: readonly string[] }) =>
      `lacks ${names.length} of ${all} texts, which are shown in ${instead.join(' or ')}: ${names.join(', ')}`,
    'unknown-braces': ({ names, known }: Names & Known) =>
      `has ${names.join(', ')}, which visitors would read as it is: write one of ${known.join(', ')}`,
    'unseen-logo': ({ image, background, seen }: { image: string; background: string; seen: number }) =>
      `is ${image}, of which only ${seen}% can be seen on the background ${background}. Use a logo of another colour: "logo" is shown on a dark background, and "logoLight" on a light one`,
    contrast: ({ colour, background, ratio, least }: Contrast) =>
      `${colour} has a contrast of ${ratio} to the background ${background}; at least ${least} is needed. Pages show another shade instead: choose a colour with more contrast`,
    'tight-limit': ({ limit, least }: { readonly limit: number; readonly least: number }) =>
      `${limit} refuses ordinary visitors, because a page makes 5 calls and several people may share an address: write ${least} or more`,
    'wide-exemption': ({ range }: { readonly range: string }) =>
      `${quote(range)} takes the limits away from most of the internet: write smaller ranges`,
    'wide-proxies': ({ range }: { readonly range: string }) =>
      `${quote(range)} lets most of the internet choose the address that it seems to come from: write the ranges of your proxies`,
  },

  /** Whole sentences. */
  facts: {
    'no-path': 'the path of the site folder is empty: write one, such as ./site',
    'no-folder': 'the site folder does not exist: correct the path, or make one with "waypost init"',
    'file-for-folder':
      'this is a file, but the site is a folder: write the path of the folder that site.json is in',
    'too-many-files': ({ most }: { readonly most: number }) =>
      `it may hold at most ${most} files: remove what does not belong to the site, such as a link to another folder`,
    'not-a-file': ({ found }: { readonly found: NoFile }) =>
      `it must be a plain file, and is ${NO_FILES[found]}`,
    'file-too-large': ({ most, found }: Size) =>
      `it may have at most ${count(most)} bytes, and has ${count(found)}`,
    'link-to-itself': 'it is a link that leads to itself: remove it',
    'link-back': 'it leads back to a folder that it is in: remove the link',
    'file-missing': 'the file is missing',
    'json-too-large': ({ most, found }: Size) =>
      `a JSON file may have at most ${count(most)} bytes, and this has ${count(found)}`,
    'all-json-too-large': ({ most, found }: Size) =>
      `the JSON files of a site may have ${count(most)} bytes together, and these have ${count(found)}: remove some`,
    'json-too-deep': ({ most }: { readonly most: number }) =>
      `lists and objects may be nested ${most} deep: write it flatter`,
    'too-many-values': ({ most }: { readonly most: number }) =>
      `a JSON file may hold at most ${count(most)} values, and this has more`,
    'not-utf8': 'the file is not UTF-8: save it with that encoding',
    'byte-order-mark': 'save the file as UTF-8 without a byte order mark',
    'empty-file': 'the file is empty',
    'long-key': ({ most }: { readonly most: number }) => `a key may have at most ${most} characters`,
    'broken-json': ({ expected, token, line }: BrokenJson) =>
      token === undefined
        ? `${JSON_ERRORS[expected]} the end of the file`
        : `${JSON_ERRORS[expected]} ${token} in the line: ${line}`,
    'full-width-sign': ({ sign, write, line }: Write & { readonly sign: string; readonly line: string }) =>
      `write ${write} in place of ${sign} in the line: ${line}`,
    'target-name': ({ name }: { readonly name: string }) =>
      `the name of a target must be 1 to 64 letters, digits, "-" or "_", got ${quote(name)}`,
    'more-faults': ({ most }: { readonly most: number }) =>
      `there are more faults than these ${most}: correct them first`,
    'not-loaded': ({ reason }: { readonly reason: string }) => reason,
    'no-answer': 'the site folder does not answer',
    'demo-content': ({ names }: Names) => `still the demo brand's: ${names.join(', ')}`,
    'reserved-names': ({ names }: Names) => `names that can never be reached: ${names.join(', ')}`,
    'both-schemes': ({ names }: Names) => `by http and by https: ${names.join(', ')}`,
  },
};

type Choices = { readonly choices: readonly string[] };
type Write = { readonly write: string };
type Known = { readonly known: readonly string[] };
type Amount = { readonly most: number; readonly of: Thing };
type ImageFile = { readonly path: string; readonly isEmpty: boolean; readonly isOptional: boolean };
type ImageSize = { readonly image: string; readonly width: number; readonly height: number };
type QrCode = {
  readonly image: string;
  readonly link: string;
  readonly name: string;
  readonly found?: string;
};
type Contrast = {
  readonly colour: string;
  readonly background: string;
  readonly ratio: string;
  readonly least: number;
};
type BrokenJson = {
  readonly expected: JsonError;
  /** What stands there, and its line. Absent at the end of the file. */
  readonly token?: string;
  readonly line?: string;
};

const THINGS = {
  host: { one: 'host', many: 'hosts' },
  language: { one: 'language', many: 'languages' },
  channel: { one: 'channel', many: 'channels' },
  mail: { one: 'mail address', many: 'mail addresses' },
  device: { one: 'device', many: 'devices' },
  country: { one: 'country', many: 'countries' },
};
export type Thing = keyof typeof THINGS;

/** What an entry has beside its host. */
const HOST_PARTS = { user: 'a user name', query: 'a query', fragment: 'a fragment', path: 'a path' };
export type HostPart = keyof typeof HOST_PARTS;

const NO_FILES = { pipe: 'a named pipe', socket: 'a socket', folder: 'a folder', device: 'a device' };
export type NoFile = keyof typeof NO_FILES;

/** Each is followed by what stands there. */
const JSON_ERRORS = {
  comma: 'expected a comma before',
  'no-comma': 'take out the comma before',
  colon: 'expected ":" before',
  key: 'expected a key in double quotes, got',
  value: 'expected a value, got',
  'end-of-object': 'expected "," or "}", got',
  'end-of-list': 'expected "," or "]", got',
  'end-of-file': 'expected the end of the file, got',
  'no-comment': 'JSON has no comments: take out',
  'closing-quote': 'expected a closing double quote in the same line for',
  escape: 'a backslash must be written twice in',
  unicode: 'expected four hexadecimal digits after \\u in',
  character: 'a tab or control character must be written as \\t or \\u00XX in',
  symbol: 'only numbers, true, false and null stand without double quotes, got',
  other: 'did not expect',
};
export type JsonError = keyof typeof JSON_ERRORS;

function suggest({ known, meant }: Guess & Known): string {
  return meant === undefined ? `write one of ${known.join(', ')}` : `did you mean ${quote(meant)}?`;
}

function quote(text: string): string {
  return `"${text}"`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function joinByOr(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}

/** The words of one language. The type check finds a missing one. */
export type SiteFaultTexts = typeof en;
