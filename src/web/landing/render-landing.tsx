import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import plainLinksScript from '../../../dist/web/plain-links/plain-links.js?raw';
import startScript from '../../../dist/web/start/start.js?raw';
import landingStyle from '../../../dist/web/client/landing.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import { LINKS_PATH } from '../../contract/paths.ts';
import {
  CAMPAIGN_NOTE_STYLE,
  renderCampaignBody,
  renderCampaignHead,
} from '../kit/document/fill-campaign.ts';
import type { Manifest } from '../kit/document/manifest.ts';
import { renderPageData, renderStartSlot } from '../kit/document/page-data.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import { FETCHED_STYLE, writeSpeculationRules } from '../kit/start/create-fetch-ahead.ts';
import { FallbackLines } from '../kit/page/fallback-lines.tsx';
import cards from './downloads/download-links.module.css';
import { createIdleHandOver } from './create-idle-hand-over.ts';
import { createPageContent } from '../kit/page/create-page-content.ts';
import { MAINTENANCE_STYLE, renderMaintenanceNote, writeTimeScript } from '../kit/page/maintenance-note.tsx';
import { createLandingData } from './create-landing-data.ts';
import { ClosedPage } from './closed-page.tsx';
import { LandingPage } from './landing-page.tsx';
import { renderReservedSpace } from './lines/reserve-space.ts';
import noScriptStyle from './no-script.css?inline';
import { NOTE_SCRIPT, NOTE_STYLE, renderOfflineNote } from '../offline/render-note.ts';
import { renderHideDismissed } from './notices/announcement-bar.tsx';
import { renderAskMark, renderConsentStyle } from './reserve-consent.ts';
import { ROOT_ID } from './show-plain-links.ts';

// Without the comment that Vite puts at the end.
const STYLES = [landingStyle.replace(/\/\*[^*]*\*\/\s?$/, '')];

const START_SCRIPT = startScript.trim();
/** See `plain-links.ts`. */
export const PLAIN_LINKS_SCRIPT = plainLinksScript.trim();
/** The last element of the page. */
const END_ID = 'waypost-end';

/** Renders the landing page with React, in the state before anything is measured. */
export function renderLanding(request: PageRequest, texts: Texts, manifest: Manifest): PageParts {
  const content = createPageContent(request, texts);
  const timeScript = writeTimeScript(request.site.maintenance);
  if (request.closing) {
    return {
      styles: STYLES,
      body: renderRoot(
        <ClosedPage
          content={content}
          texts={texts}
          closing={request.closing}
          maintenance={request.site.maintenance}
        />,
      ),
      bodyScripts: request.closing === 'maintenance' && timeScript ? [timeScript] : [],
    };
  }
  const page = (
    <LandingPage
      content={content}
      handOver={createIdleHandOver('loading', content.links)}
      plainLinks={
        // These classes are in the style of the page anyway, which has few bytes left.
        <FallbackLines
          addresses={request.fallbackAddresses}
          note={texts.notMeasured}
          listClass={cards.links}
          linkClass={`${cards.link} ${cards.name}`}
        />
      }
    />
  );
  const countsUrl = manifest.urlOf('src/web/watching/counts/main.ts');
  const data = createLandingData(request, { content, texts, countsUrl });
  const { announcement } = content;
  const consentTexts = data.observation?.consentTexts;
  const isInline = request.site.start === 'inline';
  return {
    styles: [
      ...STYLES,
      renderReservedSpace(texts),
      FETCHED_STYLE,
      ...(consentTexts ? [renderConsentStyle(consentTexts)] : []),
      ...(request.isShell ? [NOTE_STYLE] : []),
      ...(request.isCampaign ? [CAMPAIGN_NOTE_STYLE] : []),
      ...(request.site.maintenance ? [MAINTENANCE_STYLE] : []),
    ],
    noScriptStyle,
    head: [
      // The browser paints only the whole page, because half a page would move when the rest arrives.
      `<link rel="expect" href="#${END_ID}" blocking="render">`,
      renderPageData(data),
      renderCampaignHead(request),
      ...(isInline ? [renderStartSlot(request)] : renderStartLoads(manifest)),
      `<script type="module" src="${manifest.urlOf('src/web/landing/main.ts')}"></script>`,
    ],
    headScripts: [
      ...(isInline ? [START_SCRIPT] : []),
      PLAIN_LINKS_SCRIPT,
      ...(announcement ? [renderHideDismissed(announcement.text)] : []),
      ...(consentTexts ? [renderAskMark()] : []),
    ],
    body: `${renderCampaignBody(request)}${request.isShell ? renderOfflineNote(texts) : ''}${renderMaintenanceNote(request, texts)}${renderRoot(page)}\n<div id="${END_ID}" hidden></div>`,
    bodyScripts: [request.isShell ? NOTE_SCRIPT : '', timeScript].filter(Boolean),
    ...(request.site.prefetch === 'fastest' ? { speculationRules: writeSpeculationRules() } : {}),
  };
}

/** The start script waits for the links config, not for React. */
function renderStartLoads(manifest: Manifest): readonly string[] {
  return [
    `<link rel="preload" href="${LINKS_PATH}" as="fetch" crossorigin>`,
    `<script defer src="${manifest.urlOf('src/web/landing/start.ts')}"></script>`,
  ];
}

/** Not as a stream: React's streams leave Node's async hooks on, and that slows every later request down. */
function renderRoot(page: ReactNode): string {
  return `<div id="${ROOT_ID}">${renderToString(page)}</div>`;
}
