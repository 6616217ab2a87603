import { renderToString } from 'react-dom/server';
import typeRedirectScript from '../../../dist/web/type-redirect/type-redirect.js?raw';
import typeRedirectStyle from '../../../dist/web/type-redirect-style/type-redirect-style.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import { createPageContent } from '../kit/page/page-content.ts';
import { type PageData, createPageData, renderPageData } from '../kit/document/page-data.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import type { Texts } from '../../contract/site/text-keys.ts';
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
// Browsers do not reuse a probe's connection for the visit, but they do use a document that is loaded ahead. The rule
// selects the link and does not name its address: a constant text can be in the page's policy by its hash, and Chromium
// ignores 'inline-speculation-rules' beside hashes. Only a proven address is loaded ahead, and without a referrer.
const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: { selector_matches: `#${ADDRESS_ID}[${PROVEN_ATTRIBUTE}]` },
      eagerness: 'immediate',
      referrer_policy: 'no-referrer',
    },
  ],
});

/**
 * Renders `/t/{target}` with React, on the server only: hydrating it would load 58 KB for a button that 5 KB can show.
 * Its script is inline, so that its first call is sent when the first bytes arrive.
 */
export function renderTypeRedirect(request: PageRequest, texts: Texts): PageParts {
  const { site, fallbackAddresses } = request;
  const data: TypeRedirectData = { ...createPageData(request), ...site.typeRedirect, ...site.redirect };
  const content = createPageContent(request, texts);
  return {
    styles: STYLES,
    head: [renderPageData(data)],
    headScripts: SCRIPTS,
    body: renderToString(
      <TypeRedirectPage content={content} texts={texts} fallbackAddresses={fallbackAddresses} />,
    ),
    speculationRules: SPECULATION_RULES,
  };
}
