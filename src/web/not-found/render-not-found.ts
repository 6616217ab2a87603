import type { PageRequest } from '../../contract/page-data.ts';
import { escapeHtml } from '../escape-html.ts';
import type { PageParts } from '../page-parts.ts';
import plainStyle from '../plain-page.css?inline';
import type { Texts } from '../texts/texts.ts';

/** The page of an address that leads nowhere, with a way back. */
export function renderNotFound(_: PageRequest, texts: Texts): PageParts {
  const body = `<main><h1>${escapeHtml(texts.notFound)}</h1><p><a class="button" href="/">${escapeHtml(texts.home)}</a></p></main>`;
  return { body, styles: [plainStyle] };
}
