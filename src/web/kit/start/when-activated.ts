/** Acts when the visitor sees the page: now, or, if the browser has prerendered it, when it is shown. */
export function whenActivated(document: Document, act: () => void): void {
  // TypeScript's DOM does not have it yet: https://developer.mozilla.org/docs/Web/API/Document/prerendering
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', act, { once: true });
  else act();
}
