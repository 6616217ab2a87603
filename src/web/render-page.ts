import type { PageKind, PageRequest, RenderPage, RenderPageModule } from '../contract/page/page-data.ts';
import { type Manifest, readManifest } from './kit/document/manifest.ts';
import { type PageParts, renderDocument } from './kit/document/render-document.ts';
import { renderLanding } from './landing/render-landing.tsx';
import notFoundStyle from './not-found.css?inline';
import { escapeHtml, renderCompliance } from './kit/document/plain-html.ts';
import { renderRedirect } from './redirect/render-redirect.ts';
import type { Texts } from './kit/texts/texts.ts';
import { textsFor } from './kit/texts/texts-for.ts';
import { renderTypeRedirect } from './type-redirect/render-type-redirect.tsx';

type RenderParts = (request: PageRequest, texts: Texts, manifest: Manifest) => PageParts;

/** Without `/r`, before whose script nothing may come: its document is its own. */
const RENDERERS: Readonly<Record<Exclude<PageKind, 'redirect'>, RenderParts>> = {
  landing: renderLanding,
  'type-redirect': renderTypeRedirect,
  'not-found': renderNotFound,
};

/** Creates the renderer of every page; the manifest tells it where the built scripts are. */
export const createRenderPage: RenderPageModule['createRenderPage'] = (given) => {
  const manifest = readManifest(given);
  const renderPage: RenderPage = (request) => {
    const texts = textsFor(request.locale, request.site);
    // A region that is not served gets one notice, wherever there would be a way to a line.
    const kind = request.isRestricted && request.kind !== 'not-found' ? 'landing' : request.kind;
    if (kind === 'redirect') return renderRedirect(request, texts);
    const parts = RENDERERS[kind](request, texts, manifest);
    return renderDocument(request, texts, parts);
  };
  return renderPage;
};

/** The page of an address that leads nowhere, with a way back. */
function renderNotFound(request: PageRequest, texts: Texts): PageParts {
  const main = `<main><h1>${escapeHtml(texts.notFound)}</h1><p><a class="button" href="/">${escapeHtml(texts.home)}</a></p></main>`;
  return { body: main + renderCompliance(request, texts), styles: [notFoundStyle] };
}
