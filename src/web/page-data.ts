import type { PageRequest } from '../contract/page-data.ts';

/** What travels inside a page, from its renderer to its script. */
export type PageData = {
  readonly locale: PageRequest['locale'];
  readonly texts: PageRequest['site']['texts'];
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
  readonly allowedHosts: readonly string[];
  /** Whether a redirect takes the visitor's query and hash along. */
  readonly keepQuery: boolean;
  readonly isRestricted: boolean;
};

const ELEMENT_ID = 'waypost';

/** The element that carries the data: no script, so that no policy needs to allow it. */
export function renderPageData({ locale, site, isRestricted }: PageRequest): string {
  const data: PageData = {
    locale,
    texts: site.texts,
    lines: site.lines,
    callerService: site.services.callerAddress,
    allowedHosts: site.typeRedirect.allowedHosts,
    keepQuery: site.redirect.keepQuery,
    isRestricted,
  };
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${ELEMENT_ID}">${json}</script>`;
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this very page.
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? '') as PageData;
}
