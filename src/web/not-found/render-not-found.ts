import type { PageRequest } from '../../contract/page/page-data.ts';
import { escapeHtml } from '../kit/document/escape-html.ts';
import type { PageParts } from '../kit/document/page-parts.ts';
import { renderCompliance } from '../kit/document/render-compliance.ts';
import style from './not-found.css?inline';
import type { Texts } from '../kit/texts/texts.ts';

/** The page of an address that leads nowhere, with a way back. */
export function renderNotFound(request: PageRequest, texts: Texts): PageParts {
  const main = `<main><h1>${escapeHtml(texts.notFound)}</h1><p><a class="button" href="/">${escapeHtml(texts.home)}</a></p></main>`;
  return { body: main + renderCompliance(request, texts), styles: [style] };
}
