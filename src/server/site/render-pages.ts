import { setImmediate } from 'node:timers/promises';
import { DAY_MS } from '../../contract/time-units.ts';
import type { PageKind, PageRequest, RenderPage, RenderedPage } from '../../contract/page/page-data.ts';
import { renderStartAnswers } from '../../contract/page/start-answers.ts';
import { OFFLINE_HEADER } from '../../contract/api/headers.ts';
import type { OFFLINE_SHELL_PATHS } from '../../contract/paths.ts';
import { findKeepDays } from '../../contract/site/offline-settings.ts';
import type { Locale } from '../../contract/site/locales.ts';
import type { LinksConfig } from '../../contract/site/links-config.ts';
import type { SiteMaintenance } from '../../contract/site/site-config.ts';
import { type AnswerHeaders, type PreparedAnswer, prepareAnswer } from '../http/prepare-answer.ts';
import { buildPageHeaders } from './page-headers.ts';
import { localizeSite } from './localize-site.ts';
import { type CampaignPages, createCampaignPages } from './create-campaign-pages.ts';
import { type PageSiteDeps, createPageSite } from './create-page-site.ts';
import type { Site } from './parse-site.ts';
import { findNextChange, findSiteMaintenance } from './time-windows.ts';

export type PageChoice = Pick<PageRequest, 'kind' | 'locale' | 'closing' | 'isShell'>;

/** Every page of a site, rendered and compressed ahead of time. */
export type Pages = {
  readonly get: (choice: PageChoice) => PreparedPage;
  /** The pages of `/c/CODE`. */
  readonly campaigns: CampaignPages;
  /** The maintenance that closes the site now. Undefined if it is open. */
  readonly closedBy: SiteMaintenance | undefined;
  /**
   * Until the next UTC midnight, or until an announcement or a maintenance begins or ends. And not before they were rendered:
   * the clock may be set back.
   */
  readonly isFresh: (at: number) => boolean;
};

export type PreparedPage = PreparedAnswer & {
  /** Where the page has room for what its first calls would answer. */
  readonly start: StartSlot | undefined;
};

/** A page whose start answers are written for each visitor. */
export type StartSlot = {
  readonly before: string;
  readonly after: string;
  readonly headers: AnswerHeaders;
  readonly links: LinksConfig;
};

export type RenderDeps = PageSiteDeps & {
  readonly renderPage: RenderPage;
  /** Set for pages that are made anew after every key stroke: compressing them takes ten times as long as rendering them. */
  readonly compression?: 'none' | undefined;
  /** The day's addresses of the fallback hosts. */
  readonly buildFallbackAddresses: (lines: Site['config']['lines']) => readonly string[];
};

const HTML = 'text/html; charset=utf-8';
const KINDS: readonly Exclude<PageKind, 'away'>[] = ['landing', 'redirect', 'type-redirect', 'not-found'];
export type ShellKind = keyof typeof OFFLINE_SHELL_PATHS;
export const SHELL_KINDS: readonly ShellKind[] = ['landing', 'redirect', 'type-redirect', 'away'];
/** Of an answer in the visitor's language, which the request and a cookie tell. */
export const BY_LANGUAGE = { Vary: 'Accept-Language, Cookie' };
/** A page changes with the caller's language and region: no shared cache may keep it, and the browser asks each time. */
const PAGE_CACHING = { 'Cache-Control': 'private, no-cache', ...BY_LANGUAGE };

/** Renders every page of a site in every language, and those for visitors for whom it is closed. */
export async function renderPages(site: Site, deps: RenderDeps): Promise<Pages> {
  // Before anything is rendered, so that no moment is missed meanwhile.
  const renderedAt = deps.now();
  const maintenance = findSiteMaintenance(site.config.maintenance, renderedAt);
  const closedBy = maintenance?.closes ? maintenance : undefined;
  const closings: readonly PageChoice['closing'][] = [
    undefined,
    ...(site.config.compliance.restrictedRegions.length > 0 ? (['restricted'] as const) : []),
    ...(closedBy ? (['maintenance'] as const) : []),
  ];
  const fallbackAddresses = deps.buildFallbackAddresses(site.config.lines);
  const isKept = findKeepDays(site.config) !== undefined;
  const choices = [
    ...KINDS.flatMap((kind) => closings.map((closing) => ({ kind, closing, isShell: false }))),
    ...(isKept ? SHELL_KINDS : []).map((kind) => ({ kind, closing: undefined, isShell: true })),
  ];
  const bases = new Map(
    site.config.locales.map((locale) => {
      const localized = localizeSite(site, locale);
      const { direction, links } = localized;
      const pageSite = createPageSite(localized, { ...deps, now: () => renderedAt });
      return [locale, { locale, direction, site: pageSite, links, fallbackAddresses, closing: undefined }];
    }),
  );
  const requests = [...bases.values()].flatMap((base) =>
    choices.map(({ kind, closing, isShell }): PageRequest => ({
      kind,
      locale: base.locale,
      direction: base.direction,
      links: base.links,
      fallbackAddresses: base.fallbackAddresses,
      // A shell is shown while the portal cannot be reached, so it keeps nothing and names no maintenance.
      site: isShell ? { ...base.site, start: 'inline', mayKeep: false, maintenance: undefined } : base.site,
      closing,
      isShell,
    })),
  );
  const pages = await (deps.compression === 'none' ? prepareOneByOne : prepareTogether)(site, requests, deps);
  const byKey = new Map(requests.map((request, index) => [keyOf(request), pages[index]]));
  const freshUntil = Math.min(
    (Math.floor(renderedAt / DAY_MS) + 1) * DAY_MS,
    findNextChange([...Object.values(site.config.announcement), ...site.config.maintenance], renderedAt),
  );
  return {
    get: (choice) => {
      const page = byKey.get(keyOf(choice));
      if (page === undefined) throw new Error(`no page was rendered for ${keyOf(choice)}`);
      return page;
    },
    campaigns: createCampaignPages({
      ...deps,
      config: site.config,
      requestOf: (locale) => bases.get(locale) ?? refuseLocale(locale),
      buildHeaders: (request, page) => madeForOne(buildHeaders(site, request, page)),
    }),
    closedBy,
    isFresh: (at) => at >= renderedAt && at < freshUntil,
  };
}

function prepareTogether(
  site: Site,
  requests: readonly PageRequest[],
  deps: RenderDeps,
): Promise<readonly PreparedPage[]> {
  return Promise.all(requests.map((request) => preparePage(site, request, deps)));
}

/** For a preview: visitors are answered between two pages. */
async function prepareOneByOne(
  site: Site,
  requests: readonly PageRequest[],
  deps: RenderDeps,
): Promise<readonly PreparedPage[]> {
  const pages: PreparedPage[] = [];
  for (const request of requests) {
    await setImmediate();
    pages.push(await preparePage(site, request, deps));
  }
  return pages;
}

function refuseLocale(locale: Locale): never {
  throw new Error(`the site has no language ${locale}`);
}

function buildHeaders(site: Site, request: PageRequest, page: RenderedPage) {
  const keeping = request.isShell
    ? { [OFFLINE_HEADER]: String(findKeepDays(site.config)) }
    : request.site.mayKeep && !request.closing
      ? {}
      : { [OFFLINE_HEADER]: 'off' };
  return {
    ...PAGE_CACHING,
    ...buildPageHeaders(request.kind, page, site),
    'Content-Language': request.locale,
    ...keeping,
    ...(request.kind === 'landing' && !request.isShell && !request.isCampaign
      ? {}
      : { 'X-Robots-Tag': 'noindex' }),
  };
}

async function preparePage(
  site: Site,
  request: PageRequest,
  { renderPage, compression }: Pick<RenderDeps, 'renderPage' | 'compression'>,
): Promise<PreparedPage> {
  const page = renderPage(request);
  const headers = buildHeaders(site, request, page);
  const prepared = await prepareAnswer({
    body: page.html,
    type: HTML,
    headers,
    // Most visitors wait for one of these two, so ten percent fewer bytes are worth the time.
    compression:
      compression ??
      (!request.isShell && (request.kind === 'landing' || request.kind === 'redirect') ? 11 : 9),
  });
  return { ...prepared, start: findStartSlot(page.html, request, headers) };
}

function findStartSlot(
  html: string,
  { links, closing }: PageRequest,
  headers: AnswerHeaders,
): StartSlot | undefined {
  const [before = '', after] = html.split(renderStartAnswers());
  // Nothing is handed out to visitors for whom the site is closed.
  if (after === undefined || closing) return undefined;
  return {
    before,
    after,
    links,
    headers: madeForOne(headers),
  };
}

/** The headers of a page that is written for one visitor. It may carry a ticket and the caller's own address. */
function madeForOne(headers: AnswerHeaders): AnswerHeaders {
  return {
    ...headers,
    'Content-Type': HTML,
    Vary: `${headers['Vary']}, Accept-Encoding`,
    'Cache-Control': 'private, no-store',
  };
}

function keyOf({ kind, locale, closing, isShell = false }: PageChoice): string {
  return `${kind} ${locale} ${isShell ? 'shell' : (closing ?? 'open')}`;
}
