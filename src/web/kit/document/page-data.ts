import type { PageRequest } from '../../../contract/page/page-data.ts';

/** What the renderer writes into every page for its script. Each page adds its own. */
export type PageData = {
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
};

// This must not be the name of the hand-over, because browsers make element ids properties of `window`.
const PAGE_DATA_ID = 'waypost-data';

/** Picks what the scripts of all pages need. */
export function createPageData({ site }: PageRequest): PageData {
  return { lines: site.lines, callerService: site.services.callerAddress };
}

/** Renders the element that carries the data. It is not executed, so the security policy need not allow it. */
export function renderPageData(data: PageData): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${PAGE_DATA_ID}">${json}</script>`;
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this page.
  return JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData;
}
