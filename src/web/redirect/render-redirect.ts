import redirectScript from '../../../dist/web/redirect/redirect.js?raw';
import type { PageRequest, RenderedPage } from '../../contract/page/page-data.ts';
import { LANDING_PATH } from '../../contract/paths.ts';
import { escapeHtml } from '../kit/document/escape-html.ts';
import { createPageData, renderPageData } from '../kit/document/page-data.ts';
import { renderCompliance } from '../kit/document/render-compliance.ts';
import { renderFallbackLines } from '../kit/document/render-fallback-lines.ts';
import { renderLink } from '../kit/document/render-link.ts';
import type { Texts } from '../kit/texts/texts.ts';
import type { RedirectData } from './redirect-data.ts';
import { renderStyle } from './render-style.ts';

const SCRIPT = redirectScript.trim();

/**
 * `/r`: a script, and nothing to see. The script is inside the page and before all else, so that its first call leaves
 * with the page's first bytes; what is below is for those whom it cannot help.
 */
export function renderRedirect(request: PageRequest, texts: Texts): RenderedPage {
  const { locale, site } = request;
  const data: RedirectData = { ...createPageData(request), ...site.redirect };
  const style = renderStyle(site.theme);
  const html = [
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    renderPageData(data),
    `<script>${SCRIPT}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    // The page is gone before an icon could be seen, and without this the browser would ask for one.
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(site.brand.name)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    renderMain(request, texts),
    renderCompliance(request, texts),
    '</body>',
    '</html>',
  ];
  return { html: html.join('\n'), inlineScripts: [SCRIPT], inlineStyles: [style] };
}

/** What stands in it when: see the style, and the script, which marks the outcome. */
function renderMain(request: PageRequest, texts: Texts): string {
  const { service } = request.links;
  return [
    '<main>',
    renderFallbackLines(request, texts),
    `<p role="alert" data-when="none">${escapeHtml(texts.noneReachable)}</p>`,
    `<p role="alert" data-when="restricted">${escapeHtml(texts.restricted)}</p>`,
    `<p><button type="button" data-when="none">${escapeHtml(texts.tryAgain)}</button>`,
    renderLink(LANDING_PATH, texts.home),
    service ? renderLink(service, texts.service) : '',
    '</p>',
    '</main>',
  ].join('\n');
}
