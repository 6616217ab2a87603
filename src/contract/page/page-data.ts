import type { SiteConfig } from '../site/site-config.ts';
import type { LinksConfig } from '../site/links-config.ts';
import type { Locale } from '../site/locales.ts';

/** An image as a page shows it. */
export type PageImage = {
  /** The URL it is served under. */
  readonly url: string;
  /** The image's own size in pixels, so that a page can reserve the space. Undefined if the file does not say. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** The same image in better formats, the best first. */
  readonly sources: readonly { readonly type: string; readonly url: string }[];
};

type OptionalImageName = 'walletQr' | 'telegramQr' | 'favicon' | 'share';
type ImageName = Exclude<keyof SiteConfig['images'], OptionalImageName>;

export type PageImages = Readonly<Record<ImageName, PageImage>> & {
  readonly [Name in OptionalImageName]?: PageImage | undefined;
};

/** What a page needs of the site folder. It travels inside the page; nothing else of `site.json` does. */
export type PageSite = {
  readonly brand: SiteConfig['brand'];
  readonly publicUrl: SiteConfig['publicUrl'];
  readonly texts: SiteConfig['texts'];
  readonly announcement: SiteConfig['announcement'];
  readonly theme: SiteConfig['theme'];
  readonly images: PageImages;
  /** Without the hosts: only the hostname call hands those out, four at a time. */
  readonly lines: Pick<SiteConfig['lines'], 'marker' | 'markerHeader' | 'fallback' | 'ports'>;
  readonly typeRedirect: SiteConfig['typeRedirect'];
  readonly redirect: SiteConfig['redirect'];
  readonly services: SiteConfig['services'];
  readonly analytics: SiteConfig['analytics'];
  readonly monitoring: SiteConfig['monitoring'];
  readonly consent: SiteConfig['consent'];
  readonly compliance: Omit<SiteConfig['compliance'], 'restrictedRegions'>;
};

export type PageKind = 'landing' | 'redirect' | 'type-redirect' | 'not-found';

/** Everything that decides what a page looks like when it is sent. */
export type PageRequest = {
  readonly kind: PageKind;
  readonly locale: Locale;
  readonly site: PageSite;
  readonly links: LinksConfig;
  /** The addresses of the fallback hosts, with the day's prefix: plain links for visitors without JavaScript. */
  readonly fallbackAddresses: readonly string[];
  /** True for a visitor from a region that the operator does not serve. The page shows a notice instead of lines. */
  readonly isRestricted: boolean;
};

export type RenderedPage = {
  readonly html: string;
  /** The text of every inline script and style, for the hashes in the Content-Security-Policy. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
};

/** The page renderer that the web build emits and the server is given. */
export type RenderPage = (request: PageRequest) => RenderedPage;

/** The built web part's entry module: `dist/web/server/render-page.js`. */
export type RenderPageModule = {
  /** `manifest` is Vite's manifest of the client build: it names the built file of each source. */
  readonly createRenderPage: (manifest: Readonly<Record<string, unknown>>) => RenderPage;
};
