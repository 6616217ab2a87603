import { renderToString } from 'react-dom/server';
import typeRedirectScript from '../../../dist/web/type-redirect/type-redirect.js?raw';
import typeRedirectStyle from '../../../dist/web/type-redirect-style/type-redirect-style.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import { MAINTENANCE_STYLE, renderMaintenanceNote, writeTimeScript } from '../kit/page/maintenance-note.tsx';
import { createPageContent } from '../kit/page/create-page-content.ts';
import { type PageData, createPageData, renderPageData, renderStartSlot } from '../kit/document/page-data.ts';
import { renderCampaignHead } from '../kit/document/fill-campaign.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
import { NOTE_SCRIPT, NOTE_STYLE, renderOfflineNote } from '../offline/render-note.ts';
import { writeSpeculationRules } from '../kit/start/create-fetch-ahead.ts';
import { renderPageCount } from '../watching/counts/render-page-count.ts';
import { TypeRedirectPage } from './type-redirect-page.tsx';
import { ADDRESS_ID, PROVEN_ATTRIBUTE } from './view-state.ts';

/** What the renderer writes into `/t` for its script. */
export type TypeRedirectData = PageData & {
  /** The host names for which `/t` works. */
  readonly allowedHosts: readonly string[];
  /** Whether the visitor's query and hash are kept. */
  readonly keepQuery: boolean;
};

const STYLES = [typeRedirectStyle.trim()];
const SCRIPTS = [typeRedirectScript.trim()];
// Only a proven address is fetched ahead.
const SPECULATION_RULES = writeSpeculationRules(`#${ADDRESS_ID}[${PROVEN_ATTRIBUTE}]`);

/**
 * Renders `/t/{target}` with React, on the server only: hydrating it would load 58 KB for a button that 5 KB can show.
 * Its script is inline, so that its first call is sent when the first bytes arrive.
 */
export function renderTypeRedirect(request: PageRequest, texts: Texts): PageParts {
  const { site, fallbackAddresses } = request;
  const data: TypeRedirectData = { ...createPageData(request), ...site.typeRedirect, ...site.redirect };
  const content = createPageContent(request, texts);
  const timeScript = writeTimeScript(site.maintenance);
  return {
    styles: [
      ...STYLES,
      ...(site.maintenance ? [MAINTENANCE_STYLE] : []),
      ...(request.isShell ? [NOTE_STYLE] : []),
    ],
    head: [
      renderPageData(data),
      renderCampaignHead(request),
      ...(request.isShell ? [renderStartSlot(request)] : []),
    ],
    headScripts: [...SCRIPTS, ...renderPageCount('/t', request)],
    body:
      (request.isShell ? renderOfflineNote(texts) : '') +
      renderMaintenanceNote(request, texts) +
      renderToString(
        <TypeRedirectPage content={content} texts={texts} fallbackAddresses={fallbackAddresses} />,
      ),
    bodyScripts: [request.isShell ? NOTE_SCRIPT : '', timeScript].filter(Boolean),
    speculationRules: SPECULATION_RULES,
  };
}
