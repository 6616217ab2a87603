import type { PageRequest } from '../contract/page-data.ts';
import type { LandingContent } from './landing/landing-content.ts';
import type { ObservationSettings } from './landing/start-observation.ts';

/** What travels inside a page, from its renderer to its script. */
export type PageData = {
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
  readonly allowedHosts: readonly string[];
} & Partial<LandingData>;

/** What the landing page shows, and what watches it. The other pages are complete as they are sent, and unwatched. */
export type LandingData = {
  readonly content: LandingContent;
  readonly observation: ObservationSettings;
};

const ELEMENT_ID = 'waypost';

/** The element that carries the data: no script, so that no policy needs to allow it. */
export function renderPageData({ site }: PageRequest, landing?: LandingData): string {
  const data: PageData = {
    lines: site.lines,
    callerService: site.services.callerAddress,
    // Of no use on the landing page, where every byte counts.
    allowedHosts: landing ? [] : site.typeRedirect.allowedHosts,
    ...landing,
  };
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${ELEMENT_ID}">${json}</script>`;
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this very page.
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? '') as PageData;
}
