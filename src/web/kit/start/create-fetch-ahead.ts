/** The most documents that are fetched ahead in one visit. */
const MAX_FETCHED = 2;

/** The links whose documents the browser fetches. They are children of the root element, and nobody sees them. */
const FETCHED_LINKS = 'html>a';

/** Invisible, but with a box: browsers do not look at a link without one. */
export const FETCHED_STYLE = `${FETCHED_LINKS}{visibility:hidden}`;

declare global {
  // Only an interface merges with the DOM's own.
  interface Navigator {
    /** https://developer.mozilla.org/docs/Web/API/NetworkInformation */
    readonly connection?: { readonly saveData?: boolean };
  }
}

/**
 * Returns a function that has the document of a line fetched before the visitor goes there. Browsers do not reuse a probe's
 * connection for the visit, but Chromium uses a document that was fetched ahead. Others ignore the rules of the page.
 */
export function createFetchAhead({ document, navigator }: Window): (url: string) => void {
  let left = MAX_FETCHED;
  return (url) => {
    if (!left || navigator.connection?.saveData) return;
    left -= 1;
    const link = document.createElement('a');
    link.href = url;
    document.documentElement.append(link);
  };
}

/**
 * Writes the speculation rules of a page that fetches these links ahead, without a referrer. The rules select links instead
 * of naming addresses: so the text is constant, and its hash can stand in the page's policy. Chromium ignores
 * 'inline-speculation-rules' beside hashes.
 */
export function writeSpeculationRules(selector = FETCHED_LINKS): string {
  return JSON.stringify({
    prefetch: [
      { where: { selector_matches: selector }, eagerness: 'immediate', referrer_policy: 'no-referrer' },
    ],
  });
}
