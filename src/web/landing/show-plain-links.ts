import { PLAIN_ATTRIBUTE } from '../kit/document/render-document.ts';

/** The element that React renders the landing page into, on the server and in the browser. */
export const ROOT_ID = 'root';

/** Set on the root element by the page's main script. */
export const LIVE_ATTRIBUTE = 'data-live';

/** The event with which the page's main script gives up. */
export const BROKEN_EVENT = 'waypost:broken';

/** Marks the page as alive. True if plain links are already shown; their style is removed then. */
export function markLive(root: HTMLElement): boolean {
  root.toggleAttribute(LIVE_ATTRIBUTE, true);
  // Inside <noscript> it is a text, not an element.
  const style = document.querySelector(`style[${PLAIN_ATTRIBUTE}]`);
  style?.remove();
  return style !== null;
}

/** Puts back what the server sent, and shows plain links. For a page that broke: React leaves nothing of it. */
export function replaceByPlainLinks(root: HTMLElement, sent: string): void {
  root.innerHTML = sent;
  showPlainLinks(root);
}

/** Shows plain links in a page that React has not touched. */
export function showPlainLinks(root: HTMLElement): void {
  root.removeAttribute(LIVE_ATTRIBUTE);
  document.dispatchEvent(new Event(BROKEN_EVENT));
}
