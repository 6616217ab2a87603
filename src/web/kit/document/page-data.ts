import type { CampaignData } from '../../../contract/page/campaign-page.ts';
import type { PageRequest } from '../../../contract/page/page-data.ts';
import { renderStartAnswers } from '../../../contract/page/start-answers.ts';
import { writeInlineJson } from '../../../contract/page/write-inline-json.ts';
import { CALLER_PATH, LINKS_PATH } from '../../../contract/paths.ts';

/** What the renderer writes into every page for its script. Each page adds its own. */
export type PageData = {
  readonly lines: PageRequest['site']['lines'];
  readonly callerService: string;
  /** The browser may keep the lines of this visit. */
  readonly mayKeep?: true | undefined;
  /** What the link of a campaign adds. */
  readonly campaign?: CampaignData | undefined;
};

// This must not be the name of the hand-over, because browsers make element ids properties of `window`.
export const PAGE_DATA_ID = 'waypost-data';

/** Stands for the data of a campaign until a visitor is known, see `fill-campaign.ts`. */
export const CAMPAIGN_SLOT = '@campaign';

/** Picks what the scripts of all pages need. */
export function createPageData({ site, isCampaign }: PageRequest): PageData {
  return {
    // The renderer's own text, which it replaces before a page is sent.
    campaign: isCampaign ? (CAMPAIGN_SLOT as unknown as CampaignData) : undefined,
    lines: site.lines,
    callerService: site.services.callerAddress,
    mayKeep: site.mayKeep || undefined,
  };
}

/** Renders the element that carries the data. It is not executed, so the security policy need not allow it. */
export function renderPageData(data: PageData): string {
  return `<script type="application/json" id="${PAGE_DATA_ID}">${writeInlineJson(data)}</script>`;
}

/**
 * Renders the element for what the first calls would answer. The portal fills it for each visitor. In a shell, the links are
 * there, and nobody's address; the service worker adds the lines.
 */
export function renderStartSlot({ isShell, site, links }: PageRequest): string {
  if (!isShell) return renderStartAnswers();
  const callerUrl = site.services.callerAddress + CALLER_PATH;
  return renderStartAnswers({
    until: 0,
    answers: { [LINKS_PATH]: { body: links }, [callerUrl]: { body: null } },
  });
}

/** Reads the data back out of the HTML of a page. Undefined if it is no page of ours. */
export function parsePageData(html: string): Partial<PageData> | undefined {
  try {
    const [, json = ''] = html.split(`id="${PAGE_DATA_ID}">`);
    // Our own renderer wrote it. If somebody has changed a copy, its answers are checked like any others.
    return JSON.parse(json.split('</script>')[0] ?? '') as PageData;
  } catch {
    return undefined;
  }
}

/** Reads the data back in the browser. */
export function readPageData(document: Document): PageData {
  // Our own renderer wrote it into this page.
  return JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData;
}
