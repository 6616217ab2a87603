import type { CampaignFill, CampaignNote, FillCampaign } from '../../../contract/page/campaign-page.ts';
import type { PageRequest } from '../../../contract/page/page-data.ts';
import type { TextKey, Texts } from '../../../contract/site/text-keys.ts';
import { writeInlineJson } from '../../../contract/page/write-inline-json.ts';
import { CAMPAIGN_SLOT } from './page-data.ts';
import { escapeHtml } from '../../../contract/escape-html.ts';
import { renderAddress } from './plain-html.ts';

/** Renders the slot in the head of a page of `/c/CODE`, for what other programs show of the link. Empty on all other pages. */
export function renderCampaignHead({ isCampaign }: PageRequest): string {
  return isCampaign ? HEAD_SLOT : '';
}

/** Renders the slot in the body of such a page. */
export function renderCampaignBody({ isCampaign }: PageRequest): string {
  return isCampaign ? BODY_SLOT : '';
}

const HEAD_SLOT = '<!--campaign head-->';
const BODY_SLOT = '<!--campaign body-->';
const DATA_KEY = '"campaign":';

/** Below the header, like an announcement. */
export const CAMPAIGN_NOTE_STYLE = `
header{order:-1}
#campaign-note{width:calc(100% - 2*var(--space-4));max-width:calc(var(--width) - 2*var(--space-6));margin:var(--space-3) auto;padding:var(--space-3) var(--space-4);border:1px solid var(--border);border-radius:var(--radius-m);background:var(--accent-soft);font-size:var(--size-s)}
@media(min-width:48em){#campaign-note{width:calc(100% - 2*var(--space-6))}}
`.trim();

const NOTES: Readonly<Record<CampaignNote, TextKey>> = {
  unknown: 'campaignUnknown',
  soon: 'campaignSoon',
  ended: 'campaignEnded',
};

type FillSettings = {
  readonly request: PageRequest;
  readonly texts: Texts;
  /** Renders what fills the slot of the body. By default that is the note. */
  readonly renderBody?: ((fill: CampaignFill) => string) | undefined;
};

/** Returns a function that fills the slots of a page of `/c/CODE` for one visitor. */
export function createFillCampaign(
  html: string,
  { request, texts, renderBody = (fill) => renderNote(fill, texts) }: FillSettings,
): FillCampaign {
  // With its key: a text of the site may be the same.
  const [beforeData = '', afterData = ''] = html.split(`${DATA_KEY}${JSON.stringify(CAMPAIGN_SLOT)}`);
  const [beforeHead = '', afterHead = ''] = afterData.split(HEAD_SLOT);
  const [beforeBody = '', afterBody = ''] = afterHead.split(BODY_SLOT);
  return (fill) =>
    [
      beforeData,
      DATA_KEY,
      writeInlineJson(fill.data),
      beforeHead,
      renderHead(fill, request, texts),
      beforeBody,
      renderBody(fill),
      afterBody,
    ].join('');
}

function renderHead({ share }: CampaignFill, { site }: PageRequest, texts: Texts): string {
  const title = escapeHtml(share.title ?? texts.title);
  const description = escapeHtml(share.description ?? texts.description);
  const image = share.image ?? site.images.share?.url;
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${escapeHtml(site.brand.name)}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    site.publicUrl === '' ? '' : `<meta property="og:url" content="${renderAddress(share.path, site)}">`,
    image ? `<meta property="og:image" content="${renderAddress(image, site)}">` : '',
    `<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">`,
  ]
    .filter(Boolean)
    .join('\n');
}

function renderNote({ note }: CampaignFill, texts: Texts): string {
  return note ? `<aside id="campaign-note">${escapeHtml(texts[NOTES[note]])}</aside>` : '';
}
