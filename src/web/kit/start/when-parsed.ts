/** Acts as soon as every element of the page is there: a script in its head may be done before. */
export function whenParsed(document: Document, act: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', act, { once: true });
  else act();
}
