import type { PageImage, PageSite } from '../../contract/page/page-data.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';

/** Takes from `site.json` what a page needs, and leaves the rest (hosts, proxies, regions) on the server. */
export function createPageSite(config: SiteConfig, imageOf: (path: string) => PageImage): PageSite {
  const { marker, markerHeader, fallback, ports } = config.lines;
  const { operator, licence, minimumAge, responsiblePlayUrl } = config.compliance;
  const { walletQr, telegramQr, favicon, share, ...images } = config.images;
  return {
    brand: config.brand,
    publicUrl: config.publicUrl,
    texts: config.texts,
    announcement: config.announcement,
    theme: config.theme,
    images: {
      logo: imageOf(images.logo),
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
    services: config.services,
    analytics: config.analytics,
    monitoring: config.monitoring,
    consent: config.consent,
    compliance: { operator, licence, minimumAge, responsiblePlayUrl },
  };
}
