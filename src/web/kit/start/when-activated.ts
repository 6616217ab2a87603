/** Acts as soon as the visitor is here: now, or when the browser shows a page that it has rendered ahead of need. */
export function whenActivated(document: Document, act: () => void): void {
  // Not in TypeScript's DOM yet: https://developer.mozilla.org/docs/Web/API/Document/prerendering
  if ((document as { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', act, { once: true });
  else act();
}
