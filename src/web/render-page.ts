import type { PageKind, PageRequest, RenderPage, RenderPageModule } from '../contract/page-data.ts';
import { LINKS_PATH } from '../contract/paths.ts';
import { escapeHtml } from './escape-html.ts';
import { renderLanding } from './landing/render-landing.ts';
import { renderNotFound } from './not-found/render-not-found.ts';
import { renderPageData } from './page-data.ts';
import { renderRedirect } from './redirect/render-redirect.ts';
import { STYLE } from './style.ts';
import { type Texts, textsFor } from './texts.ts';
import { renderTypeRedirect } from './type-redirect/render-type-redirect.ts';

type ManifestEntry = { readonly file: string; readonly imports?: readonly string[] };

type BodyKind = Exclude<PageKind, 'redirect'>;

const BODIES: Readonly<Record<BodyKind, (request: PageRequest, texts: Texts) => string>> = {
  landing: renderLanding,
  'type-redirect': renderTypeRedirect,
  'not-found': renderNotFound,
};

const ENTRIES: Readonly<Partial<Record<BodyKind, string>>> = {
  landing: 'src/web/landing/main.ts',
  'type-redirect': 'src/web/type-redirect/main.ts',
};

/** Creates the renderer of every page; the manifest tells it where the built scripts are. */
export const createRenderPage: RenderPageModule['createRenderPage'] = (manifest) => {
  const renderPage: RenderPage = (request) => {
    const texts = textsFor(request.locale, request.site.texts);
    const { kind } = request;
    if (kind === 'redirect') return Promise.resolve(renderRedirect(request, texts));
    const entry = request.isRestricted ? undefined : ENTRIES[kind];
    const html = [
      '<!doctype html>',
      `<html lang="${request.locale}">`,
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      ...(entry === undefined ? [] : renderScript(request, entry, manifest)),
      `<title>${escapeHtml(request.site.brand.name)}</title>`,
      kind === 'landing' ? '' : '<meta name="robots" content="noindex">',
      request.site.images.favicon
        ? `<link rel="icon" href="${escapeHtml(request.site.images.favicon)}">`
        : '',
      `<style>${STYLE}</style>`,
      '</head>',
      '<body>',
      BODIES[kind](request, texts),
      '</body>',
      '</html>',
    ];
    return Promise.resolve({
      html: html.filter(Boolean).join('\n'),
      inlineScripts: [],
      inlineStyles: [STYLE],
    });
  };
  return renderPage;
};

function renderScript(
  request: PageRequest,
  entry: string,
  manifest: Readonly<Record<string, unknown>>,
): readonly string[] {
  // The shape is Vite's own: https://vite.dev/guide/backend-integration
  const chunks = manifest as Readonly<Record<string, ManifestEntry>>;
  const chunk = chunks[entry];
  if (!chunk) throw new Error(`The web build has no ${entry}; build it again with: npm run build`);
  const preloads = (chunk.imports ?? []).map((name) => chunks[name]?.file ?? '');
  return [
    `<link rel="preload" href="${LINKS_PATH}" as="fetch" crossorigin="anonymous">`,
    `<script type="module" src="/${chunk.file}"></script>`,
    ...preloads.map((file) => `<link rel="modulepreload" href="/${file}">`),
    renderPageData(request),
  ];
}
