import type { PageRequest } from '../contract/page-data.ts';
import type { LandingContent } from './landing/landing-content.ts';

/** What travels inside a page, from its renderer to its script. */
export type PageData = {
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
  readonly allowedHosts: readonly string[];
  /** Whether a redirect takes the visitor's query and hash along. */
  readonly keepQuery: boolean;
  /** What the landing page shows. The other pages are complete as they are sent. */
  readonly content?: LandingContent;
};

const ELEMENT_ID = 'waypost';

/** The element that carries the data: no script, so that no policy needs to allow it. */
export function renderPageData({ site }: PageRequest, content?: LandingContent): string {
  const data: PageData = {
    lines: site.lines,
    callerService: site.services.callerAddress,
    allowedHosts: site.typeRedirect.allowedHosts,
    keepQuery: site.redirect.keepQuery,
    ...(content ? { content } : {}),
  };
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${ELEMENT_ID}">${json}</script>`;
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this very page.
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? '') as PageData;
}
