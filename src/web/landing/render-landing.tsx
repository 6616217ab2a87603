import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import landingStyle from '../../../dist/web/client/landing.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import type { Manifest } from '../kit/document/manifest.ts';
import { PAGE_DATA_ID, renderPageData } from '../kit/document/page-data.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import type { Texts } from '../kit/texts/texts.ts';
import { createIdleHandOver } from './hand-over.ts';
import { createPageContent } from '../kit/page/page-content.ts';
import { createLandingData } from './landing-data.ts';
import { LandingPage, RestrictedPage } from './landing-page.tsx';
import { renderReservedSpace } from './lines/reserve-space.ts';
import noScriptStyle from './no-script.css?inline';
import { renderHideDismissed } from './notices/announcement-bar.tsx';
import { ROOT_ID, renderShowPlainLinks } from './show-plain-links.ts';

// Without the comment that Vite puts at the end.
const STYLES = [landingStyle.replace(/\/\*[^*]*\*\/\s?$/, '')];

/** Renders the landing page with React, in the state before anything is measured. */
export function renderLanding(request: PageRequest, texts: Texts, manifest: Manifest): PageParts {
  const content = createPageContent(request, texts);
  if (request.isRestricted) {
    return {
      styles: STYLES,
      body: renderRoot(<RestrictedPage content={content} title={texts.restrictedTitle} />),
    };
  }
  const page = (
    <LandingPage
      content={content}
      handOver={createIdleHandOver('loading', content.links)}
      fallbackAddresses={request.fallbackAddresses}
    />
  );
  const data = createLandingData(request, content, texts);
  const { announcement } = content;
  return {
    styles: [...STYLES, renderReservedSpace(texts)],
    noScriptStyle,
    head: renderLoads(manifest),
    headScripts: [renderShowPlainLinks(), ...(announcement ? [renderHideDismissed(announcement.text)] : [])],
    body: `${renderRoot(page)}\n${renderPageData(data)}`,
  };
}

/** The start script comes first. It waits for the links config, not for React. */
function renderLoads(manifest: Manifest): readonly string[] {
  return [
    // The browser paints only the whole page, because half a page would move when the rest arrives.
    `<link rel="expect" href="#${PAGE_DATA_ID}" blocking="render">`,
    `<link rel="preload" href="${LINKS_PATH}" as="fetch" crossorigin>`,
    `<script defer src="${manifest.urlOf('src/web/landing/start.ts')}"></script>`,
    `<script type="module" src="${manifest.urlOf('src/web/landing/main.tsx')}"></script>`,
  ];
}

/** Not as a stream: React's streams leave Node's async hooks on, and that slows every later request down. */
function renderRoot(page: ReactNode): string {
  return `<div id="${ROOT_ID}">${renderToString(page)}</div>`;
}
