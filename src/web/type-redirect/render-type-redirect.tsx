import { renderToString } from 'react-dom/server';
import typeRedirectScript from '../../../dist/web/type-redirect/type-redirect.js?raw';
import typeRedirectStyle from '../../../dist/web/type-redirect-style/type-redirect-style.css?raw';
import type { PageRequest } from '../../contract/page/page-data.ts';
import { createPageContent } from '../kit/page/page-content.ts';
import { type PageData, createPageData, renderPageData } from '../kit/document/page-data.ts';
import type { PageParts } from '../kit/document/render-document.ts';
import type { Texts } from '../kit/texts/texts.ts';
import { TypeRedirectPage } from './type-redirect-page.tsx';
import { ADDRESS_ID, PROVEN_ATTRIBUTE } from './view-state.ts';

/** What travels inside `/t`. */
export type TypeRedirectData = PageData & {
  /** The host names that it serves. */
  readonly allowedHosts: readonly string[];
  /** Whether the visitor's query and hash go along. */
  readonly keepQuery: boolean;
};

const STYLES = [typeRedirectStyle.trim()];
const SCRIPTS = [typeRedirectScript.trim()];
// A probe's connection is no help to the visit, because browsers keep the two apart; a document that is there already is.
// The rule names the link and not its address: a text that never changes can be in the page's policy by its hash, beside
// which Chromium does not heed 'inline-speculation-rules'. An address that did not prove to be the brand's hears nothing of
// the visitor before they click, and the others do not hear where they are.
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
 * `/t/{target}`, rendered with React, whose work is done when the page is sent: hydrating it would bring 58 KB before a
 * button that 5 KB can show. Its script travels inside the page, so that its first call leaves with the first bytes.
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
