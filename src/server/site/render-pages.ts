import { LOCALES, type Locale } from '../../contract/site/locales.ts';
import type { PageImage, PageKind, PageRequest, RenderPage } from '../../contract/page/page-data.ts';
import { type PreparedAnswer, prepareAnswer } from '../http/prepare-answer.ts';
import { buildPageHeaders } from './page-headers.ts';
import { createPageSite } from './page-site.ts';
import type { Site } from './parse-site.ts';

export type PageChoice = Pick<PageRequest, 'kind' | 'locale' | 'isRestricted'>;

/** Every page of a site, rendered and compressed ahead of time. */
export type Pages = { readonly get: (choice: PageChoice) => PreparedAnswer };

export type RenderDeps = {
  readonly renderPage: RenderPage;
  /** The day's addresses of the fallback hosts. */
  readonly buildFallbackAddresses: (lines: Site['config']['lines']) => readonly string[];
  /** How a page shows an image of the site folder. */
  readonly imageOf: (path: string) => PageImage;
};

const KINDS: readonly PageKind[] = ['landing', 'redirect', 'type-redirect', 'not-found'];
/** A page changes with the caller's language and region: no shared cache may keep it, and the browser asks each time. */
const PAGE_CACHING = { 'Cache-Control': 'private, no-cache', Vary: 'Accept-Language, Cookie' };

/** Renders every page of a site in every language, and for restricted regions where it has any. */
export async function renderPages(site: Site, deps: RenderDeps): Promise<Pages> {
  const restrictions = site.config.compliance.restrictedRegions.length > 0 ? [false, true] : [false];
  const choices = KINDS.flatMap((kind) =>
    LOCALES.flatMap((locale) => restrictions.map((isRestricted) => ({ kind, locale, isRestricted }))),
  );
  const fallbackAddresses = deps.buildFallbackAddresses(site.config.lines);
  const shared = { site: createPageSite(site.config, deps.imageOf), links: site.links, fallbackAddresses };
  const pages = await Promise.all(
    choices.map((choice) => preparePage(site, { ...choice, ...shared }, deps.renderPage)),
  );
  const byKey = new Map(choices.map((choice, index) => [keyOf(choice), pages[index]]));
  return {
    get: (choice) => {
      const page = byKey.get(keyOf(choice));
      if (page === undefined) throw new Error(`no page was rendered for ${keyOf(choice)}`);
      return page;
    },
  };
}

async function preparePage(
  site: Site,
  request: PageRequest,
  renderPage: RenderPage,
): Promise<PreparedAnswer> {
  const page = renderPage(request);
  return prepareAnswer({
    body: page.html,
    type: 'text/html; charset=utf-8',
    headers: {
      ...PAGE_CACHING,
      ...buildPageHeaders(page, site),
      'Content-Language': request.locale,
      ...(request.kind === 'landing' ? {} : { 'X-Robots-Tag': 'noindex' }),
    },
    // Most visitors wait for the landing page, so ten percent fewer bytes are worth the time.
    compression: request.kind === 'landing' ? 11 : 9,
  });
}

function keyOf({
  kind,
  locale,
  isRestricted,
}: {
  kind: PageKind;
  locale: Locale;
  isRestricted: boolean;
}): string {
  return `${kind} ${locale} ${isRestricted ? 'restricted' : 'open'}`;
}
