import { fileURLToPath } from 'node:url';
import type { WarningCode } from '../../../contract/error-codes.ts';
import { type Rule, type SiteFault, identifyFault } from '../../../contract/faults/site-fault.ts';
import { DEFAULT_COLOURS, MIN_CONTRAST, contrast } from '../../../contract/site/colours.ts';
import { type ByLocale, isByLocale } from '../../../contract/site/by-locale.ts';
import { nameWithoutScheme, parseHost } from '../../../contract/site/parse-host.ts';
import type { SiteConfig } from '../../../contract/site/site-config.ts';
import { en } from '../../../contract/site/texts/en.ts';
import { TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { parseRange } from '../../caller/address-ranges.ts';
import { hasBuiltInTexts } from '../localize-site.ts';
import { readImageSize } from '../read-image-size.ts';
import { loadSite } from '../load-site.ts';
import { SITE_FILE, type Site } from '../parse-site.ts';

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
  logoLight: [0.5, 10],
  promo: [0.5, 16],
  bannerMobile: [0.5, 6],
  bannerDesktop: [1, 10],
  walletQr: [0.8, 1.25],
  telegramQr: [0.8, 1.25],
  favicon: [0.8, 1.25],
  share: [1, 3],
};
const LEAST_IMAGE_PX = 16;
/** WhatsApp, the strictest of the programs that show links, takes no larger picture. */
const MOST_SHARED_BYTES = 600_000;

/** These may be in every text. */
const BRAND_NAMES = ['{brand}', '{mainBrowser}', '{androidBrowser}'];

/**
 * Finds what is valid but hardly meant: the demo brand's content, names that nobody owns, a host by both
 * schemes, texts that a language lacks, words in braces that nothing fills in, pale colours, limits that refuse ordinary
 * visitors or hold for hardly anybody, images that do not fit their place, and pictures of campaigns that are too large.
 */
export function findWarnings(site: Content, demo: Content): readonly SiteFault[] {
  return [
    ...findLeftovers(site, demo),
    ...findBothSchemes(site.config),
    ...findMissingTexts(site.config),
    ...findUnknownPlaceholders(site.config),
    ...findPaleColours(site.config),
    ...findUnusualLimits(site.config),
    ...findMisshapenImages(site),
    ...findLargeImages(site),
  ];
}

/** Whether others, found elsewhere, say all that a warning says. */
export function isAmong(warning: SiteFault, others: readonly SiteFault[]): boolean {
  const names = readNames(warning);
  return others.some((other) => {
    if (names === undefined) return identifyFault(other) === identifyFault(warning);
    return other.code === warning.code && names.every((name) => readNames(other)?.includes(name));
  });
}

/** The things that a warning lists. Undefined if it is no list. */
function readNames({ values }: SiteFault): readonly string[] | undefined {
  return 'fact' in values && 'names' in values.fact ? values.fact.names : undefined;
}

/** Loads the demo brand's folder, which is part of the package. */
export async function loadDemoSite(): Promise<Site> {
  return (await loadSite(fileURLToPath(new URL('../../../../site', import.meta.url)))).site;
}

function findLeftovers(site: Content, demo: Content): readonly SiteFault[] {
  const kept = [
    ...findSame(readTexts(site.config), readTexts(demo.config)),
    ...findSame(readLinks(site.links), readLinks(demo.links)),
    ...findSame(readTargets(site), readTargets(demo)),
    ...findSameImages(site, demo),
  ];
  const reserved = listHosts(site.config).filter((host) => RESERVED_NAME.test(host));
  return [
    ...nameAll('demo-content', 'demo-content', kept),
    ...nameAll('unreachable-name', 'reserved-names', reserved),
  ];
}

/** An entry without a scheme means https. Beside one with http:// it is probably meant to be the same line. */
function findBothSchemes({ lines }: SiteConfig): readonly SiteFault[] {
  const names = [...lines.hosts.map(({ host }) => host), ...lines.fallback].map(nameWithoutScheme);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return nameAll('both-schemes', 'both-schemes', repeated);
}

function nameAll(
  code: WarningCode,
  kind: 'demo-content' | 'reserved-names' | 'both-schemes',
  names: readonly string[],
): readonly SiteFault[] {
  return names.length === 0 ? [] : [{ code, values: { fact: { kind, names } } }];
}

function warnAt(code: WarningCode, path: readonly string[], rule: Rule): SiteFault {
  return { code, values: { rule }, place: { file: SITE_FILE, path } };
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

/** Finds the languages in which neither the site folder nor we have every text. */
function findMissingTexts({ locales, defaultLocale, texts }: SiteConfig): readonly SiteFault[] {
  const shown = hasBuiltInTexts(defaultLocale) ? [defaultLocale] : [defaultLocale, 'en'];
  return locales
    .filter((locale) => !hasBuiltInTexts(locale))
    .flatMap((locale) => {
      const names = TEXT_KEYS.filter((key) => texts[locale]?.[key] === undefined);
      if (names.length === 0) return [];
      const instead = shown.filter((other) => other !== locale);
      const rule: Rule = { kind: 'missing-texts', names, all: TEXT_KEYS.length, instead };
      return [warnAt('missing-texts', ['texts', locale], rule)];
    });
}

/** Finds words in braces that visitors would read as they are. */
function findUnknownPlaceholders({ texts }: SiteConfig): readonly SiteFault[] {
  return Object.entries(texts).flatMap(([locale, overrides]) =>
    TEXT_KEYS.flatMap((key) => {
      const known = [...listPlaceholders(en[key]), ...BRAND_NAMES];
      const names = listPlaceholders(overrides[key] ?? '').filter((word) => !known.includes(word));
      if (names.length === 0) return [];
      return [
        warnAt('unknown-placeholder', ['texts', locale, key], { kind: 'unknown-braces', names, known }),
      ];
    }),
  );
}

/** Such as `{n}`. */
function listPlaceholders(text: string): readonly string[] {
  return text.match(/\{\w+\}/g) ?? [];
}

/** Finds colours of the theme that are hard to read on the background. */
function findPaleColours({ theme }: Pick<SiteConfig, 'theme'>): readonly SiteFault[] {
  const background = theme.background ?? DEFAULT_COLOURS.background;
  return (['text', 'accent'] as const).flatMap((name) => {
    const colour = theme[name];
    // The default colours fit every background.
    if (colour === undefined) return [];
    const ratio = contrast(colour, background);
    if (ratio >= MIN_CONTRAST[name]) return [];
    const least = MIN_CONTRAST[name];
    const rule: Rule = { kind: 'contrast', colour, background, ratio: ratio.toFixed(1), least };
    return [warnAt('low-contrast', ['theme', name], rule)];
  });
}

/** Finds limits that would refuse ordinary visitors, and ranges of which hardly anybody is outside. */
function findUnusualLimits({ limits, network }: SiteConfig): readonly SiteFault[] {
  const { apiPerMinute, exempt } = limits;
  const tight: Rule = { kind: 'tight-limit', limit: apiPerMinute, least: LEAST_API_PER_MINUTE };
  return [
    ...(apiPerMinute < LEAST_API_PER_MINUTE
      ? [warnAt('unusual-limits', ['limits', 'apiPerMinute'], tight)]
      : []),
    ...exempt
      .filter(isTooWide)
      .map((range) => warnAt('unusual-limits', ['limits', 'exempt'], { kind: 'wide-exemption', range })),
    ...network.trustedProxies
      .filter(isTooWide)
      .map((range) =>
        warnAt('unusual-limits', ['network', 'trustedProxies'], { kind: 'wide-proxies', range }),
      ),
  ];
}

function isTooWide(given: string): boolean {
  const range = parseRange(given);
  if (range === undefined) return false;
  const { address, bits } = range;
  return bits < WIDEST[address.family] && !PRIVATE_IPV6.test(address.text);
}

/** Finds images whose shape does not fit their place, or that are too small to be seen. */
function findMisshapenImages({ config, images }: Pick<Content, 'config' | 'images'>): readonly SiteFault[] {
  return Object.entries(config.images).flatMap(([name, given]) => {
    const [least, most] = IMAGE_SHAPES[name as keyof typeof IMAGE_SHAPES];
    return listPaths(given).flatMap((path): readonly SiteFault[] => {
      const size = readImageSize(images.get(path) ?? Buffer.of());
      if (size === undefined) return [];
      const seen = { image: path, ...size };
      const ratio = size.width / size.height;
      const isFitting = ratio >= least && ratio <= most;
      const isSeen = Math.min(size.width, size.height) >= LEAST_IMAGE_PX || path.endsWith('.svg');
      if (isFitting && isSeen) return [];
      const rule: Rule = isFitting
        ? { kind: 'image-too-small', ...seen }
        : { kind: 'image-shape', ...seen, least, most };
      return [warnAt('misshapen-image', ['images', name], rule)];
    });
  });
}

function findLargeImages({ config, images }: Pick<Content, 'config' | 'images'>): readonly SiteFault[] {
  return Object.entries(config.campaigns).flatMap(([code, { image }]) =>
    listPaths(image).flatMap((path) => {
      const found = images.get(path)?.length ?? 0;
      if (found <= MOST_SHARED_BYTES) return [];
      const rule: Rule = { kind: 'image-too-large', image: path, most: MOST_SHARED_BYTES, found };
      return [warnAt('large-image', ['campaigns', code, 'image'], rule)];
    }),
  );
}

/** The paths of an image in all languages, each once. */
function listPaths(image: string | ByLocale | undefined): readonly string[] {
  if (image === undefined) return [];
  return [...new Set(isByLocale(image) ? [image.fallback, ...Object.values(image.values)] : [image])];
}
