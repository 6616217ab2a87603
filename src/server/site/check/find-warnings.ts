import { fileURLToPath } from 'node:url';
import type { Coded, WarningCode } from '../../../contract/error-codes.ts';
import { DEFAULT_COLOURS, MIN_CONTRAST, contrast } from '../../../contract/site/colours.ts';
import { isByLocale } from '../../../contract/site/by-locale.ts';
import { nameWithoutScheme, parseHost } from '../../../contract/site/parse-host.ts';
import type { SiteConfig } from '../../../contract/site/site-config.ts';
import { en } from '../../../contract/site/texts/en.ts';
import { TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { parseRange } from '../../caller/address-ranges.ts';
import { hasBuiltInTexts } from '../localize-site.ts';
import { readImageSize } from '../read-image-size.ts';
import { loadSite } from '../load-site.ts';
import type { Site } from '../parse-site.ts';

type Warning = Coded<WarningCode> & {
  /** Each thing that the message lists. */
  readonly names?: readonly string[];
};

type Content = Pick<Site, 'config' | 'links' | 'images' | 'targets'>;

/** Names that nobody can own: RFC 2606. */
const RESERVED_NAME = /(?:^|\.)(?:example|example\.(?:com|net|org))$/;

/** A page makes five calls, and a household or an office shares an address. */
const LEAST_API_PER_MINUTE = 60;
/** No carrier has a wider range than these, in bits. */
const WIDEST = { ipv4: 8, ipv6: 19 } as const;
/** Addresses of private networks (RFC 4193), which may be written as one wide range. */
const PRIVATE_IPV6 = /^f[cd]/;

/** How wide an image may be for each pixel of its height, the least and the most, so that people can see what it shows. */
const IMAGE_SHAPES: Readonly<Record<keyof SiteConfig['images'], readonly [least: number, most: number]>> = {
  logo: [0.5, 10],
  promo: [0.5, 16],
  bannerMobile: [0.5, 6],
  bannerDesktop: [1, 10],
  walletQr: [0.8, 1.25],
  telegramQr: [0.8, 1.25],
  favicon: [0.8, 1.25],
  share: [1, 3],
};
const LEAST_IMAGE_PX = 16;

/** These may be in every text. */
const BRAND_NAMES = ['{brand}', '{mainBrowser}', '{androidBrowser}'];

/**
 * Finds what is valid but hardly meant, one line each: the demo brand's content, names that nobody owns, a host by both
 * schemes, texts that a language lacks, words in braces that nothing fills in, pale colours, limits that refuse ordinary
 * visitors or hold for hardly anybody, images that do not fit their place.
 */
export function findWarnings(site: Content, demo: Content): readonly Warning[] {
  return [
    ...findLeftovers(site, demo),
    ...findBothSchemes(site.config),
    ...findMissingTexts(site.config),
    ...findUnknownPlaceholders(site.config),
    ...findPaleColours(site.config),
    ...findUnusualLimits(site.config),
    ...findMisshapenImages(site),
  ];
}

/** Whether others, found elsewhere, say all that a warning says. */
export function isAmong({ code, message, names }: Warning, others: readonly Warning[]): boolean {
  return others.some((other) => {
    if (other.code !== code) return false;
    return names === undefined
      ? other.message === message
      : names.every((name) => other.names?.includes(name));
  });
}

/** Loads the demo brand's folder, which is part of the package. */
export async function loadDemoSite(): Promise<Site> {
  return (await loadSite(fileURLToPath(new URL('../../../../site', import.meta.url)))).site;
}

function findLeftovers(site: Content, demo: Content): readonly Warning[] {
  const kept = [
    ...findSame(readTexts(site.config), readTexts(demo.config)),
    ...findSame(readLinks(site.links), readLinks(demo.links)),
    ...findSame(readTargets(site), readTargets(demo)),
    ...findSameImages(site, demo),
  ];
  const reserved = listHosts(site.config).filter((host) => RESERVED_NAME.test(host));
  return [
    ...nameAll('demo-content', "still the demo brand's", kept),
    ...nameAll('unreachable-name', 'names that can never be reached', reserved),
  ];
}

/** An entry without a scheme means https. Beside one with http:// it is probably meant to be the same line. */
function findBothSchemes({ lines }: SiteConfig): readonly Warning[] {
  const names = [...lines.hosts.map(({ host }) => host), ...lines.fallback].map(nameWithoutScheme);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return nameAll('both-schemes', 'by http and by https', repeated);
}

function nameAll(code: WarningCode, what: string, names: readonly string[]): readonly Warning[] {
  return names.length === 0 ? [] : [{ code, message: `${what}: ${names.join(', ')}`, names }];
}

function readTexts({ brand, compliance, lines }: SiteConfig): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(brand).map(([key, value]) => [`brand.${key}`, value] as const),
    ['lines.marker', lines.marker],
    ['compliance.operator', compliance.operator],
    ['compliance.licence.statement', compliance.licence.statement],
    ['compliance.licence.url', compliance.licence.url],
    ['compliance.responsiblePlayUrl', compliance.responsiblePlayUrl],
  ]);
}

function readLinks(links: Content['links']): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(links).map(([name, link]) => [`json/link.json ${name}`, link]));
}

function readTargets({ targets }: Content): ReadonlyMap<string, unknown> {
  return new Map([...targets].map(([name, { hosts }]) => [`json/urls/${name}.json`, hosts]));
}

function findSame(mine: ReadonlyMap<string, unknown>, demo: ReadonlyMap<string, unknown>): readonly string[] {
  // As JSON, because a text may be an object by language.
  return [...mine].flatMap(([key, value]) =>
    value !== undefined && JSON.stringify(value) === JSON.stringify(demo.get(key)) ? [key] : [],
  );
}

function findSameImages(site: Content, demo: Content): readonly string[] {
  const demoImages = [...demo.images.values()];
  return [...site.images]
    .filter(([, bytes]) => demoImages.some((image) => image.equals(bytes)))
    .map(([path]) => path);
}

function listHosts({ lines, typeRedirect }: SiteConfig): readonly string[] {
  const lineHosts = lines.hosts.map(({ host }) => host);
  return [...lineHosts, ...lines.fallback, ...typeRedirect.allowedHosts].map((entry) => {
    const parts = parseHost(entry);
    return parts.kind === 'host' ? parts.hostname : entry;
  });
}

/** Finds the languages in which neither the site folder nor we have every text, one line each. */
function findMissingTexts({ locales, defaultLocale, texts }: SiteConfig): readonly Warning[] {
  const shown = hasBuiltInTexts(defaultLocale) ? [defaultLocale] : [defaultLocale, 'en'];
  return locales
    .filter((locale) => !hasBuiltInTexts(locale))
    .flatMap((locale) => {
      const missing = TEXT_KEYS.filter((key) => texts[locale]?.[key] === undefined);
      if (missing.length === 0) return [];
      const instead = shown.filter((other) => other !== locale).join(' or ');
      const message = `site.json: texts.${locale} lacks ${missing.length} of ${TEXT_KEYS.length} texts, which are shown in ${instead}: ${missing.join(', ')}`;
      return [{ code: 'missing-texts', message }];
    });
}

/** Finds words in braces that visitors would read as they are, one line for each text. */
function findUnknownPlaceholders({ texts }: SiteConfig): readonly Warning[] {
  return Object.entries(texts).flatMap(([locale, overrides]) =>
    TEXT_KEYS.flatMap((key) => {
      const known = [...listPlaceholders(en[key]), ...BRAND_NAMES];
      const unknown = listPlaceholders(overrides[key] ?? '').filter((word) => !known.includes(word));
      if (unknown.length === 0) return [];
      const message = `site.json: texts.${locale}.${key} has ${unknown.join(', ')}, which visitors would read as it is: write one of ${known.join(', ')}`;
      return [{ code: 'unknown-placeholder', message }];
    }),
  );
}

/** Such as `{n}`. */
function listPlaceholders(text: string): readonly string[] {
  return text.match(/\{\w+\}/g) ?? [];
}

/** Finds colours of the theme that are hard to read on the background, one line each. */
function findPaleColours({ theme }: Pick<SiteConfig, 'theme'>): readonly Warning[] {
  const background = theme.background ?? DEFAULT_COLOURS.background;
  return (['text', 'accent'] as const).flatMap((name) => {
    const colour = theme[name];
    // The default colours fit every background.
    if (colour === undefined) return [];
    const ratio = contrast(colour, background);
    if (ratio >= MIN_CONTRAST[name]) return [];
    const found = `a contrast of ${ratio.toFixed(1)} to the background ${background}`;
    const message = `site.json: theme.${name} ${colour} has ${found}, ${MIN_CONTRAST[name]} or more can be read: pages write their texts in another shade, so choose one that fits`;
    return [{ code: 'low-contrast', message }];
  });
}

/** Finds limits that would refuse ordinary visitors, and ranges of which hardly anybody is outside, one line each. */
function findUnusualLimits({ limits, network }: SiteConfig): readonly Warning[] {
  const { apiPerMinute, exempt } = limits;
  const tight = `site.json: limits.apiPerMinute ${apiPerMinute} refuses ordinary visitors, because a page makes 5 calls and several people may share an address: write ${LEAST_API_PER_MINUTE} or more`;
  const messages = [
    ...(apiPerMinute < LEAST_API_PER_MINUTE ? [tight] : []),
    ...exempt
      .filter(isTooWide)
      .map(
        (range) =>
          `site.json: limits.exempt "${range}" takes the limits away from most of the internet: write smaller ranges`,
      ),
    ...network.trustedProxies
      .filter(isTooWide)
      .map(
        (range) =>
          `site.json: network.trustedProxies "${range}" lets most of the internet choose the address that it seems to come from: write the ranges of your proxies`,
      ),
  ];
  return messages.map((message) => ({ code: 'unusual-limits', message }));
}

function isTooWide(given: string): boolean {
  const range = parseRange(given);
  if (range === undefined) return false;
  const { address, bits } = range;
  return bits < WIDEST[address.family] && !PRIVATE_IPV6.test(address.text);
}

/** Finds images whose shape does not fit their place, or that are too small to be seen, one line for each. */
function findMisshapenImages({ config, images }: Pick<Content, 'config' | 'images'>): readonly Warning[] {
  return Object.entries(config.images).flatMap(([name, given]) => {
    const [least, most] = IMAGE_SHAPES[name as keyof typeof IMAGE_SHAPES];
    const paths = isByLocale(given) ? [given.fallback, ...Object.values(given.values)] : [given ?? ''];
    return [...new Set(paths)].flatMap((path): readonly Warning[] => {
      const size = readImageSize(images.get(path) ?? Buffer.of());
      if (size === undefined) return [];
      const { width, height } = size;
      const found = `${path}: is ${width} × ${height} pixels`;
      if (width / height < least || width / height > most) {
        const message = `${found}, which does not fit its place (images.${name}): its width must be ${least} to ${most} times its height`;
        return [{ code: 'misshapen-image', message }];
      }
      if (Math.min(width, height) >= LEAST_IMAGE_PX || path.endsWith('.svg')) return [];
      return [
        { code: 'misshapen-image', message: `${found}, which is too small to be seen (images.${name})` },
      ];
    });
  });
}
