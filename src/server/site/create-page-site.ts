import type { Announcement, PageImage, PageLanguage, PageSite } from '../../contract/page/page-data.ts';
import { INTAKE_PATH } from '../../contract/paths.ts';
import type { Locale } from '../../contract/site/locales.ts';
import { findKeepDays } from '../../contract/site/offline-settings.ts';
import { type LocalizedConfig, OWN_INTAKE } from '../../contract/site/site-config.ts';
import { chooseLogo } from './choose-logo.ts';
import type { LocalizedSite, TimedAnnouncement } from './localize-site.ts';
import { findSiteMaintenance, isDuring } from './time-windows.ts';

export type PageSiteDeps = {
  /** How a page shows an image of the site folder. */
  readonly imageOf: (path: string) => PageImage;
  readonly now: () => number;
};

/** Takes from a site what a page needs, and leaves the rest (hosts, proxies, regions) on the server. */
export function createPageSite(
  { config, builtInTexts, texts, announcements }: LocalizedSite,
  { imageOf, now }: PageSiteDeps,
): PageSite {
  const { marker, markerHeader, fallback, ports } = config.lines;
  const { operator, licence, minimumAge, responsiblePlayUrl } = config.compliance;
  const { walletQr, telegramQr, favicon, share, ...images } = config.images;
  return {
    languages: config.locales.map(nameLanguage),
    defaultLocale: config.defaultLocale,
    brand: config.brand,
    publicUrl: config.publicUrl,
    downloads: config.downloads,
    builtInTexts,
    texts,
    announcement: findAnnouncement(announcements, now()),
    maintenance: describeMaintenance(findSiteMaintenance(config.maintenance, now())),
    theme: config.theme,
    images: {
      logo: imageOf(chooseLogo(config)),
      promo: imageOf(images.promo),
      bannerMobile: imageOf(images.bannerMobile),
      bannerDesktop: imageOf(images.bannerDesktop),
      ...(walletQr === undefined ? {} : { walletQr: imageOf(walletQr) }),
      ...(telegramQr === undefined ? {} : { telegramQr: imageOf(telegramQr) }),
      ...(favicon === undefined ? {} : { favicon: imageOf(favicon) }),
      ...(share === undefined ? {} : { share: imageOf(share) }),
    },
    lines: { marker, markerHeader, fallback, ports },
    typeRedirect: config.typeRedirect,
    redirect: config.redirect,
    start: config.start,
    mayKeep: findKeepDays(config) !== undefined,
    prefetch: config.lines.prefetch,
    services: config.services,
    analytics: config.analytics,
    monitoring: pickMonitoring(config.monitoring),
    consent: config.consent,
    compliance: { operator, licence, minimumAge, responsiblePlayUrl },
  };
}

function describeMaintenance(
  maintenance: LocalizedConfig['maintenance'][number] | undefined,
): PageSite['maintenance'] {
  if (maintenance === undefined) return undefined;
  const { reason, until } = maintenance;
  return { reason, until: until === undefined ? undefined : Date.parse(until) };
}

/** How long recordings are kept is the server's own affair. */
function pickMonitoring({
  intakeUrl,
  sessionPercent,
  replayPercent,
  maskText,
}: LocalizedConfig['monitoring']): PageSite['monitoring'] {
  return {
    intakeUrl: intakeUrl === OWN_INTAKE ? INTAKE_PATH : intakeUrl,
    sessionPercent,
    replayPercent,
    maskText,
  };
}

/** What its readers call each kind of Chinese. `Intl` would say "中文（中国）". */
const CHINESE: ReadonlyMap<Locale, string> = new Map([
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
]);

/** Names a language in that language, for the language switch. */
function nameLanguage(locale: Locale): PageLanguage {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  // Many languages write their name without a capital, which looks wrong in a list. Georgian has no such capitals.
  const name = names
    .of(locale)
    ?.replace(/^(?!\p{Script=Georgian})\p{Ll}/u, (first) => first.toLocaleUpperCase(locale));
  return { locale, name: CHINESE.get(locale) ?? name ?? locale };
}

/** Finds what to announce at a moment: the first of these whose time it is. */
function findAnnouncement(announcements: readonly TimedAnnouncement[], at: number): Announcement | undefined {
  const current = announcements.find((announcement) => isDuring(announcement, at));
  return current && { text: current.text, ...(current.url === undefined ? {} : { url: current.url }) };
}
