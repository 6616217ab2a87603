import { PLAIN_ATTRIBUTE } from '../kit/document/render-document.ts';

/** The element that React renders the landing page into, on the server and in the browser. */
export const ROOT_ID = 'root';

/** How long the page's scripts are waited for: a network may neither bring nor refuse them. */
const PATIENCE_MS = 10_000;

/** Set on the page's root by its own script, once it runs. */
const LIVE_ATTRIBUTE = 'data-live';

/**
 * A script for the head that gives the page plain links, as for those who have no JavaScript, where the page's own
 * script is lost: blocked, gone, cut off, or not to be read by this browser. It travels inside the page, because any
 * other script may be lost in the same way.
 */
export function renderShowPlainLinks(): string {
  // By DOMContentLoaded every script of the page has run or failed, unless one hangs.
  return [
    '(()=>{let d=document,show=()=>{',
    `if(d.querySelector("#${ROOT_ID}[${LIVE_ATTRIBUTE}]"))return;`,
    'for(let n of d.querySelectorAll("noscript"))n.outerHTML=n.textContent};',
    `d.addEventListener("DOMContentLoaded",show);setTimeout(show,${PATIENCE_MS})})()`,
  ].join('');
}

/** Marks the page as alive. True where that comes late: plain links have taken its place, and lose their style now. */
export function markLive(root: HTMLElement): boolean {
  root.toggleAttribute(LIVE_ATTRIBUTE, true);
  // While it stands in its <noscript>, it is a text and no element.
  const style = document.querySelector(`style[${PLAIN_ATTRIBUTE}]`);
  style?.remove();
  return style !== null;
}
