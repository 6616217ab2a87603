import { PLAIN_ATTRIBUTE } from '../kit/document/render-document.ts';

/** The element that React renders the landing page into, on the server and in the browser. */
export const ROOT_ID = 'root';

/** After this long without the page's script, plain links are shown. A request may hang for ever. */
const PATIENCE_MS = 10_000;

/** Set on the root element by the page's main script. */
const LIVE_ATTRIBUTE = 'data-live';

/** The event with which the page's main script gives up. */
const BROKEN_EVENT = 'waypost:broken';

/**
 * Renders a script for the head that shows the links for browsers without JavaScript if the page's main script does not
 * run: blocked, missing, cut off, or too new for the browser. It is inline, because any other script may be lost in the
 * same way, and written for browsers of 2009, because the others may be too new.
 */
export function renderShowPlainLinks(): string {
  // By DOMContentLoaded every script of the page has run or failed, unless one hangs.
  return [
    '(function(d){function show(){',
    `if(d.querySelector("#${ROOT_ID}[${LIVE_ATTRIBUTE}]"))return;`,
    'for(var n=d.querySelectorAll("noscript"),i=n.length;i--;)n[i].outerHTML=n[i].textContent}',
    `d.addEventListener("DOMContentLoaded",show);d.addEventListener("${BROKEN_EVENT}",show);`,
    `setTimeout(show,${PATIENCE_MS})})(document)`,
  ].join('');
}

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
