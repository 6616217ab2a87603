import type { PageRequest } from '../../../contract/page/page-data.ts';

/** What travels inside a page, from its renderer to its script. A page adds what is its own. */
export type PageData = {
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
};

// Not the name of the hand-over: a window has its elements' ids for properties.
export const PAGE_DATA_ID = 'waypost-data';

/** What every page needs to know. */
export function createPageData({ site }: PageRequest): PageData {
  return { lines: site.lines, callerService: site.services.callerAddress };
}

/** The element that carries the data: no script, so that no policy needs to allow it. */
export function renderPageData(data: PageData): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${PAGE_DATA_ID}">${json}</script>`;
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this very page.
  return JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData;
}
