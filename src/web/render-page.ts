import type { PageKind, PageRequest, RenderPage, RenderPageModule } from '../contract/page/page-data.ts';
import { createFillCampaign } from './kit/document/fill-campaign.ts';
import { type Manifest, readManifest } from './kit/document/manifest.ts';
import { type PageParts, renderDocument } from './kit/document/render-document.ts';
import { renderLanding } from './landing/render-landing.tsx';
import { renderNotFound } from './landing/render-not-found.tsx';
import awayStyle from './away.css?inline';
import { escapeHtml } from '../contract/escape-html.ts';
import { renderCompliance } from './kit/document/plain-html.ts';
import { NOTE_SCRIPT, renderPortalBack } from './offline/render-note.ts';
import { renderRedirect } from './redirect/render-redirect.ts';
import type { Texts } from '../contract/site/text-keys.ts';
import { textsFor } from './kit/texts/texts-for.ts';
import { renderTypeRedirect } from './type-redirect/render-type-redirect.tsx';

type RenderParts = (request: PageRequest, texts: Texts, manifest: Manifest) => PageParts;

/** `/r` is missing here: its script must come first, so it renders its own document. */
const RENDERERS: Readonly<Record<Exclude<PageKind, 'redirect'>, RenderParts>> = {
  landing: renderLanding,
  'type-redirect': renderTypeRedirect,
  'not-found': renderNotFound,
  away: renderAway,
};

/** Creates the renderer of all pages. The manifest names the built scripts. */
export const createRenderPage: RenderPageModule['createRenderPage'] = (given) => {
  const manifest = readManifest(given);
  const renderPage: RenderPage = (request) => {
    const texts = textsFor(request.site, request.direction);
    // A visitor for whom the site is closed gets the notice of the landing page on every page with lines.
    const kind = request.closing && request.kind !== 'not-found' ? 'landing' : request.kind;
    if (kind === 'redirect') return renderRedirect(request, texts);
    const parts = RENDERERS[kind](request, texts, manifest);
    const page = renderDocument(request, texts, parts);
    if (!request.isCampaign) return page;
    return { ...page, fill: createFillCampaign(page.html, { request, texts }) };
  };
  return renderPage;
};

/**
 * Renders the page for a time in which the portal cannot be reached, and no kept line counts any more. It is kept for longer than
 * lines, so it has no link of the brand's: by then it may lead elsewhere.
 */
function renderAway(request: PageRequest, texts: Texts): PageParts {
  const main = [
    `<main><h1>${escapeHtml(texts.awayTitle)}</h1>`,
    `<p>${escapeHtml(texts.awayText)}</p>`,
    `<p>${escapeHtml(texts.mailbox)} <strong dir="ltr">${escapeHtml(request.site.brand.email)}</strong></p>`,
    `<p><a class="button" href="">${escapeHtml(texts.tryAgain)}</a></p>`,
    `${renderPortalBack(texts)}</main>`,
  ].join('');
  const header = `<header>${escapeHtml(request.site.brand.name)}</header>`;
  return {
    body: header + main + renderCompliance(request, texts),
    styles: [awayStyle],
    bodyScripts: [NOTE_SCRIPT],
  };
}
