import { prerender } from 'react-dom/static';
import type { ReactNode } from 'react';
import landingStyle from '../../../dist/web/client/landing.css?raw';
import type { PageRequest } from '../../contract/page-data.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import type { Manifest } from '../manifest.ts';
import { PAGE_DATA_ID, createPageData, renderPageData } from '../page-data.ts';
import type { PageParts } from '../page-parts.ts';
import type { Texts } from '../texts/texts.ts';
import { createIdleHandOver } from './idle-hand-over.ts';
import { type LandingData, createLandingContent } from './landing-content.ts';
import { LandingPage, RestrictedPage } from './landing-page.tsx';
import { pickObservation } from './pick-observation.ts';
import noScriptStyle from './no-script.css?inline';
import { renderHideDismissed } from './notices/hide-dismissed.ts';
import { ROOT_ID } from './root-id.ts';

// Without the mark that Vite leaves at its end.
const STYLES = [landingStyle.replace(/\/\*.*\*\/\s*$/, '')];

/** The landing page, rendered with React as the browser will find it before it has measured anything. */
export async function renderLanding(
  request: PageRequest,
  texts: Texts,
  manifest: Manifest,
): Promise<PageParts> {
  const content = createLandingContent(request, texts);
  if (request.isRestricted) {
    return {
      styles: STYLES,
      body: await renderRoot(<RestrictedPage content={content} title={texts.restrictedTitle} />),
    };
  }
  const page = (
    <LandingPage
      content={content}
      handOver={createIdleHandOver('loading', content.links)}
      fallbackAddresses={request.fallbackAddresses}
    />
  );
  const observation = pickObservation(request, texts);
  const data: LandingData = { ...createPageData(request), content, observation };
  const { announcement } = content;
  return {
    styles: STYLES,
    noScriptStyle,
    head: renderLoads(manifest),
    headScripts: announcement ? [renderHideDismissed(announcement.text)] : [],
    body: `${await renderRoot(page)}\n${renderPageData(data)}`,
  };
}

/** The start script comes first and alone: what it waits for is the links config, not React. */
function renderLoads(manifest: Manifest): readonly string[] {
  return [
    // Painted whole: half a page would move as the other half arrives.
    `<link rel="expect" href="#${PAGE_DATA_ID}" blocking="render">`,
    `<link rel="preload" href="${LINKS_PATH}" as="fetch" crossorigin>`,
    `<script defer src="${manifest.urlOf('src/web/landing/start.ts')}"></script>`,
    `<script type="module" src="${manifest.urlOf('src/web/landing/main.tsx')}"></script>`,
  ];
}

async function renderRoot(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page);
  return `<div id="${ROOT_ID}">${await new Response(prelude).text()}</div>`;
}
