import type { PageRequest } from '../../contract/page-data.ts';
import { escapeHtml } from '../escape-html.ts';
import { renderFallbackLines } from '../render-fallback-lines.ts';
import type { Texts } from '../texts.ts';

/** `/r`: nothing to see while it works; the message is for when it finds nothing. */
export function renderRedirect(request: PageRequest, texts: Texts): string {
  if (request.isRestricted) return `<main><p>${escapeHtml(texts.restricted)}</p></main>`;
  const { service } = request.links;
  return [
    renderFallbackLines(request, texts),
    '<main id="message" role="alert" hidden>',
    `<p data-none>${escapeHtml(texts.noneReachable)}</p>`,
    `<p data-restricted hidden>${escapeHtml(texts.restricted)}</p>`,
    `<p><button id="again" type="button">${escapeHtml(texts.tryAgain)}</button>`,
    `<a href="/">${escapeHtml(texts.home)}</a>`,
    service ? `<a href="${escapeHtml(service)}">${escapeHtml(texts.service)}</a>` : '',
    '</p></main>',
  ].join('\n');
}
