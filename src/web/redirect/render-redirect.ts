import redirectScript from '../../../dist/web/redirect/redirect.js?raw';
import type { PageRequest, RenderedPage } from '../../contract/page-data.ts';
import { LANDING_PATH } from '../../contract/paths.ts';
import { escapeHtml } from '../escape-html.ts';
import { renderPageData } from '../page-data.ts';
import { renderFallbackLines } from '../render-fallback-lines.ts';
import type { Texts } from '../texts.ts';
import { REDIRECT_STYLE } from './redirect-style.ts';

// It is small: inside the page, its first call leaves with the page's first bytes.
const SCRIPT = redirectScript.trim();

/** `/r`: a script and nothing to see. What is below it is for those whom the script cannot help. */
export function renderRedirect(request: PageRequest, texts: Texts): RenderedPage {
  const { locale, site, isRestricted } = request;
  const html = [
    '<!doctype html>',
    `<html lang="${locale}"${isRestricted ? ' data-outcome="restricted"' : ''}>`,
    '<head>',
    '<meta charset="utf-8">',
    isRestricted ? '' : `${renderPageData(request)}<script>${SCRIPT}</script>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="robots" content="noindex">',
    // The page is gone before an icon could be seen, and without this the browser would ask for one.
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(site.brand.name)}</title>`,
    `<style>${REDIRECT_STYLE}</style>`,
    '</head>',
    '<body>',
    renderMain(request, texts),
    '</body>',
    '</html>',
  ];
  return {
    html: html.filter(Boolean).join('\n'),
    inlineScripts: isRestricted ? [] : [SCRIPT],
    inlineStyles: [REDIRECT_STYLE],
  };
}

function renderMain(request: PageRequest, texts: Texts): string {
  const { isRestricted, links } = request;
  if (isRestricted) return `<main>${renderAlert('restricted', texts.restricted)}</main>`;
  return [
    '<main>',
    renderFallbackLines(request, texts),
    renderAlert('none', texts.noneReachable),
    renderAlert('restricted', texts.restricted),
    `<p><button type="button" data-when="none">${escapeHtml(texts.tryAgain)}</button>`,
    renderLink(LANDING_PATH, texts.home),
    links.service ? renderLink(links.service, texts.service) : '',
    '</p></main>',
  ].join('\n');
}

function renderAlert(outcome: 'none' | 'restricted', text: string): string {
  return `<p role="alert" data-when="${outcome}">${escapeHtml(text)}</p>`;
}

function renderLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
