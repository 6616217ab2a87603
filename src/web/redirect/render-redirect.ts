import redirectScript from '../../../dist/web/redirect/redirect.js?raw';
import type { CampaignFill } from '../../contract/page/campaign-page.ts';
import type { PageRequest, PageSite, RenderedPage } from '../../contract/page/page-data.ts';
import { LANDING_PATH } from '../../contract/paths.ts';
import { createFillCampaign, renderCampaignBody, renderCampaignHead } from '../kit/document/fill-campaign.ts';
import { type PageData, createPageData, renderPageData, renderStartSlot } from '../kit/document/page-data.ts';
import { renderMaintenanceNote, writeTimeScript } from '../kit/page/maintenance-note.tsx';
import { escapeHtml } from '../../contract/escape-html.ts';
import { renderCompliance, renderLink } from '../kit/document/plain-html.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import { buildDestination } from '../kit/start/build-destination.ts';
import { FETCHED_STYLE, writeSpeculationRules } from '../kit/start/create-fetch-ahead.ts';
import { renderPageCount } from '../watching/counts/render-page-count.ts';
import { formatText } from '../kit/texts/format-text.ts';
import { deriveTheme } from '../kit/theme/derive-theme.ts';

/** What the renderer writes into `/r` for its script. */
export type RedirectData = PageData & {
  /** Whether the visitor's query and hash are kept. */
  readonly keepQuery: boolean;
};

const SCRIPT = redirectScript.trim();
const SPECULATION_RULES = writeSpeculationRules();

/**
 * Renders `/r`: a script, and nothing to see but the background. The script is inline and comes first, so that its first call is
 * sent when the first bytes arrive. The rest is shown only if it takes long, or no line can be reached.
 */
export function renderRedirect(request: PageRequest, texts: Texts): RenderedPage {
  const { locale, direction, site } = request;
  const data: RedirectData = { ...createPageData(request), ...site.redirect };
  const style = renderStyle(site.theme);
  const timeScript = writeTimeScript(site.maintenance);
  const isAhead = site.prefetch === 'fastest';
  const counts = renderPageCount('/r', request);
  const lines = [
    '<!doctype html>',
    `<html lang="${locale}" dir="${direction}">`,
    '<head>',
    '<meta charset="utf-8">',
    renderPageData(data),
    renderCampaignHead(request),
    site.start === 'inline' ? renderStartSlot(request) : '',
    `<script>${SCRIPT}</script>`,
    ...counts.map((script) => `<script>${script}</script>`),
    isAhead ? `<script type="speculationrules">${SPECULATION_RULES}</script>` : '',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    // Keeps the browser from asking for an icon that nobody would see.
    '<link rel="icon" href="data:,">',
    request.isCampaign ? '' : `<title>${escapeHtml(site.brand.name)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    renderHeader(request, texts),
    renderMain(request, texts),
    renderCompliance(request, texts),
    timeScript ? `<script>${timeScript}</script>` : '',
    '</body>',
    '</html>',
  ];
  const html = lines.filter(Boolean).join('\n');
  return {
    html,
    fill: request.isCampaign
      ? createFillCampaign(html, { request, texts, renderBody: (fill) => renderEnds(request, texts, fill) })
      : undefined,
    inlineScripts: [SCRIPT, ...counts, isAhead ? SPECULATION_RULES : '', timeScript].filter(Boolean),
    inlineStyles: [style],
  };
}

/** Renders all messages. The script sets the class of the root, and the style shows what has the same one. */
function renderMain(request: PageRequest, texts: Texts): string {
  return [
    '<main>',
    renderMaintenanceNote(request, texts, 'p'),
    request.isCampaign ? renderCampaignBody(request) : renderAddresses(request.fallbackAddresses, texts),
    `<p role="status" class="busy"><b>${escapeHtml(request.site.brand.name)}</b><br>${escapeHtml(texts.choosing)}…<br><progress></progress></p>`,
    renderOutcome('none', texts.noneReachable, `<p>${escapeHtml(texts.noneHelp)}</p>`),
    renderOutcome('restricted', texts.restricted),
    renderOutcome('maintenance', texts.maintenance),
    `<p><button type="button" class="none busy">${escapeHtml(texts.tryAgain)}</button>`,
    renderLink(LANDING_PATH, texts.home),
    '</p>',
    '</main>',
  ].join('');
}

/** Renders why the visitor is still here. */
function renderOutcome(outcome: string, title: string, help = ''): string {
  return `<div role="alert" class="${outcome}"><h1>${escapeHtml(title)}</h1>${help}</div>`;
}

/** Renders the fallback hosts as plain links, for visitors whose browser does not run the script. */
function renderAddresses(addresses: readonly string[], texts: Texts): string {
  const items = addresses.map((address, index) => {
    const name = formatText(texts.officialLine, { n: index + 1 });
    return `<li>${renderLink(address, name)}</li>`;
  });
  return `<ol>${items.join('')}</ol>`;
}

/** Renders where a link ends as plain links: the fallback hosts with its path and query, or the one address it leads to. */
function renderEnds({ fallbackAddresses, site }: PageRequest, texts: Texts, { data }: CampaignFill): string {
  const { go } = data.end;
  if (go) return `<ol><li>${renderLink(go, site.brand.name)}</li></ol>`;
  const addresses = fallbackAddresses.map((address) => buildDestination(address, data.end));
  return renderAddresses(addresses, texts);
}

/** Renders the logo and customer service. The logo takes its place as text if it does not load. */
function renderHeader({ links, site }: PageRequest, texts: Texts): string {
  const { brand, images } = site;
  const logo = `<a href="${LANDING_PATH}"><img src="${escapeHtml(images.logo.url)}" alt="${escapeHtml(brand.name)}" loading="lazy"></a>`;
  return `<header>${logo}${links.service ? renderLink(links.service, texts.service) : ''}</header>`;
}

/**
 * Renders the style of the page: the landing page's header, width and buttons. It has few rules, because it is always sent and
 * rarely seen. While the page works it shows the background only, and after 1.5 s, about when the fallback hosts join, that it is
 * still choosing. The body keeps its box, because browsers fetch nothing ahead for a link without a box. The logo has none, so it is
 * loaded only if the page is shown.
 */
function renderStyle(theme: PageSite['theme']): string {
  const tokens = deriveTheme(theme);
  const colour = (name: string): string => tokens[`--${name}`] ?? '';
  return `
:root{color-scheme:${tokens['color-scheme']};accent-color:${colour('accent')};background:${colour('background')};color:${colour('text')};font:100%/1.5 system-ui,sans-serif}
[hidden]{display:block}
[hidden],${FETCHED_STYLE}
[hidden] [role=status]{animation:s 0s 1.5s forwards}
@keyframes s{to{visibility:visible}}
a{color:inherit}
body{display:grid;grid-template-rows:auto 1fr auto;min-height:100vh;margin:0;text-align:center}
header,main,footer{padding:.5rem max(1rem,50vw - 35.5rem)}
header{display:flex;align-items:center;justify-content:space-between;gap:1rem}
img{height:2.25rem}
main{grid-row:2;text-wrap:balance;align-self:center}
h1{margin:0;font-size:1.5rem}
ol{padding:0;list-style:none}
main a,header a+a,button{display:inline-block;margin:.25rem;padding:.6rem 1rem;border:1px solid ${colour('control-border')};border-radius:9rem;background:none;font:inherit;font-weight:600;text-decoration:none}
button{border-color:${colour('accent')};background:${colour('accent')};color:${colour('on-accent')}}
footer{border-top:1px solid ${colour('border')};color:${colour('muted')};font-size:.875rem}
[hidden] header,[role],button,.busy ol,.none ol,.restricted ol,.maintenance ol{display:none}
.busy .busy,.none .none,.restricted .restricted,.maintenance .maintenance{display:revert}
`.trim();
}
