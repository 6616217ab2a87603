import type { PageRequest } from '../../contract/page-data.ts';
import redirectScript from '../../../dist/web/redirect/redirect.js?raw';
import { escapeHtml } from '../escape-html.ts';
import { renderPageData } from '../page-data.ts';
import type { PageParts } from '../page-parts.ts';
import plainStyle from '../plain-page.css?inline';
import { renderFallbackLines } from '../render-fallback-lines.ts';
import type { Texts } from '../texts/texts.ts';

const STYLES = [plainStyle];
// Small enough to travel inside the page: its first call leaves with the page's first bytes.
const SCRIPTS = [redirectScript.trim()];

/** `/r`: nothing to see while it works; the message is for when it finds nothing. */
export function renderRedirect(request: PageRequest, texts: Texts): PageParts {
  if (request.isRestricted) {
    return { styles: STYLES, body: `<main><p>${escapeHtml(texts.restricted)}</p></main>` };
  }
  const { service } = request.links;
  const body = [
    renderFallbackLines(request, texts),
    '<main id="message" role="alert" hidden>',
    `<p data-none>${escapeHtml(texts.noneReachable)}</p>`,
    `<p data-restricted hidden>${escapeHtml(texts.restricted)}</p>`,
    `<p><button id="again" type="button">${escapeHtml(texts.tryAgain)}</button>`,
    `<a href="/">${escapeHtml(texts.home)}</a>`,
    service ? `<a href="${escapeHtml(service)}">${escapeHtml(texts.service)}</a>` : '',
    '</p></main>',
    renderPageData(request),
  ].join('\n');
  return { styles: STYLES, body, bodyScripts: SCRIPTS };
}
