import type { PageSite } from '../../contract/page-data.ts';
import type { SiteConfig } from '../../contract/site-config.ts';

/** Takes from `site.json` what a page needs, and leaves the rest (hosts, proxies, regions) on the server. */
export function createPageSite(config: SiteConfig, imageUrl: (path: string) => string): PageSite {
  const { marker, markerHeader, fallback, ports } = config.lines;
  const { operator, licence, minimumAge, responsiblePlayUrl } = config.compliance;
  const { favicon, share, ...images } = config.images;
  return {
    brand: config.brand,
    texts: config.texts,
    announcement: config.announcement,
    theme: config.theme,
    images: {
      logo: imageUrl(images.logo),
      promo: imageUrl(images.promo),
      bannerMobile: imageUrl(images.bannerMobile),
      bannerDesktop: imageUrl(images.bannerDesktop),
      walletQr: imageUrl(images.walletQr),
      telegramQr: imageUrl(images.telegramQr),
      ...(favicon === undefined ? {} : { favicon: imageUrl(favicon) }),
      ...(share === undefined ? {} : { share: imageUrl(share) }),
    },
    lines: { marker, markerHeader, fallback, ports },
    typeRedirect: config.typeRedirect,
    redirect: config.redirect,
    services: config.services,
    analytics: config.analytics,
    monitoring: config.monitoring,
    consent: config.consent,
    compliance: { operator, licence, minimumAge, responsiblePlayUrl },
  };
}
