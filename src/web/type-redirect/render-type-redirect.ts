import type { PageRequest } from '../../contract/page-data.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import { escapeHtml } from '../escape-html.ts';
import type { Manifest } from '../manifest.ts';
import { renderPageData } from '../page-data.ts';
import type { PageParts } from '../page-parts.ts';
import plainStyle from '../plain-page.css?inline';
import type { Texts } from '../texts/texts.ts';

const STYLES = [plainStyle];

/** `/t/{target}`: a progress text, then the button or the message. */
export function renderTypeRedirect(request: PageRequest, texts: Texts, manifest: Manifest): PageParts {
  if (request.isRestricted) {
    return { styles: STYLES, body: `<main><p>${escapeHtml(texts.restricted)}</p></main>` };
  }
  const body = [
    '<main>',
    `<p id="progress" role="status">${escapeHtml(texts.choosing)}</p>`,
    `<p><button id="enter" type="button" hidden>${escapeHtml(texts.enter)}</button></p>`,
    '<div id="message" role="alert" hidden>',
    `<p>${escapeHtml(texts.targetFailed)}</p>`,
    `<p><button id="again" type="button">${escapeHtml(texts.tryAgain)}</button>`,
    `<a href="/">${escapeHtml(texts.home)}</a></p>`,
    '</div></main>',
    renderPageData(request),
  ].join('\n');
  const head = [
    `<link rel="preload" href="${LINKS_PATH}" as="fetch" crossorigin="anonymous">`,
    `<script defer src="${manifest.urlOf('src/web/type-redirect/main.ts')}"></script>`,
  ];
  return { styles: STYLES, body, head };
}
