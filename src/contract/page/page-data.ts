import type { Closing } from '../api/closing.ts';
import type { FillCampaign } from './campaign-page.ts';
import type { LocalizedConfig, TextOverrides } from '../site/site-config.ts';
import type { LinksConfig } from '../site/links-config.ts';
import type { BuiltInLocale, Direction, Locale } from '../site/locales.ts';

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
/** The light logo takes the place of the other one before a page sees it. */
type ImageName = Exclude<keyof LocalizedConfig['images'], OptionalImageName | 'logoLight'>;

export type PageImages = Readonly<Record<ImageName, PageImage>> & {
  readonly [Name in OptionalImageName]?: PageImage | undefined;
};

/** A language that a visitor may choose, by its own name. */
export type PageLanguage = { readonly locale: Locale; readonly name: string };

/** What a page says above everything else. */
export type Announcement = Pick<LocalizedConfig['announcement'][Locale], 'text' | 'url'>;

/** A maintenance of the site that goes on, as visitors are told of it. */
export type PageMaintenance = {
  /** In the operator's words. */
  readonly reason: string | undefined;
  /** When it ends, in milliseconds since 1970. */
  readonly until: number | undefined;
};

/** What a page needs of the site folder, in one language. Nothing else of `site.json` reaches a page. */
export type PageSite = {
  readonly languages: readonly PageLanguage[];
  readonly defaultLocale: Locale;
  readonly brand: LocalizedConfig['brand'];
  readonly publicUrl: LocalizedConfig['publicUrl'];
  readonly downloads: LocalizedConfig['downloads'];
  /** The language of the texts that the site folder does not replace. */
  readonly builtInTexts: BuiltInLocale;
  /** What the site folder replaces of them. */
  readonly texts: TextOverrides;
  readonly announcement: Announcement | undefined;
  readonly maintenance: PageMaintenance | undefined;
  readonly theme: LocalizedConfig['theme'];
  readonly images: PageImages;
  /** Without the hosts: only the hostname call hands those out, four at a time. */
  readonly lines: Pick<LocalizedConfig['lines'], 'marker' | 'markerHeader' | 'fallback' | 'ports'>;
  readonly typeRedirect: LocalizedConfig['typeRedirect'];
  readonly redirect: LocalizedConfig['redirect'];
  readonly start: LocalizedConfig['start'];
  /** The browser may keep the lines of this visit. */
  readonly mayKeep: boolean;
  readonly prefetch: LocalizedConfig['lines']['prefetch'];
  readonly services: LocalizedConfig['services'];
  readonly analytics: LocalizedConfig['analytics'];
  /** The address of the intake is a path if the portal is its own. */
  readonly monitoring: Omit<LocalizedConfig['monitoring'], 'keepDays' | 'keepBytes'>;
  readonly consent: LocalizedConfig['consent'];
  readonly compliance: Omit<LocalizedConfig['compliance'], 'restrictedRegions'>;
};

/** `away`: shown while the portal cannot be reached, and the browser has no lines that still count. */
export type PageKind = 'landing' | 'redirect' | 'type-redirect' | 'not-found' | 'away';

/** Everything that decides what a page looks like when it is sent. */
export type PageRequest = {
  readonly kind: PageKind;
  readonly locale: Locale;
  readonly direction: Direction;
  readonly site: PageSite;
  readonly links: LinksConfig;
  /** The addresses of the fallback hosts, with the day's prefix: plain links for visitors without JavaScript. */
  readonly fallbackAddresses: readonly string[];
  /** Set for a visitor for whom the site is closed. The page shows a notice instead of lines. */
  readonly closing: Closing | undefined;
  /** True for the copy that browsers keep, for a time in which the portal cannot be reached. */
  readonly isShell?: boolean;
  /** True for the page of `/c/CODE`, which is filled in for each visitor. */
  readonly isCampaign?: boolean;
};

export type RenderedPage = {
  readonly html: string;
  /** The text of every inline script and style, for the hashes in the Content-Security-Policy. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
  /** Of the page of `/c/CODE`: writes the document of one visitor. Undefined for all other pages. */
  readonly fill?: FillCampaign | undefined;
};

/** The page renderer that the web build emits and the server is given. */
export type RenderPage = (request: PageRequest) => RenderedPage;

/** The built web part's entry module: `dist/web/server/render-page.js`. */
export type RenderPageModule = {
  /** `manifest` is Vite's manifest of the client build: it names the built file of each source. */
  readonly createRenderPage: (manifest: Readonly<Record<string, unknown>>) => RenderPage;
};
