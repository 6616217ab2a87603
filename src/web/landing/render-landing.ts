import type { PageRequest } from '../../contract/page-data.ts';
import { escapeHtml } from '../escape-html.ts';
import { renderFallbackLines } from '../render-fallback-lines.ts';
import type { Texts } from '../texts.ts';

/** The landing page: the rows of the line board, which its script fills. */
export function renderLanding(request: PageRequest, texts: Texts): string {
  const name = escapeHtml(request.site.brand.name);
  if (request.isRestricted) {
    return `<main><h1>${name}</h1><p>${escapeHtml(texts.restricted)}</p></main>`;
  }
  return [
    `<main><h1>${name}</h1>`,
    '<ol id="rows" aria-live="polite"></ol>',
    renderFallbackLines(request, texts),
    `<p><button id="retest" type="button" disabled>${escapeHtml(texts.retest)}</button></p>`,
    '<p id="message" role="alert" hidden></p>',
    `</main><footer><small>${escapeHtml(request.site.brand.copyright)}</small></footer>`,
  ].join('\n');
}
