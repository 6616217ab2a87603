// Shows the links for browsers without JavaScript if the page's main script does not run: blocked, missing, cut off, or too new for
// the browser. It travels inside of the page, because any other script may be lost in the same way.
//
// It is written for browsers of 2009, because the others may be too new. The build inlines the constants, and nothing else.
// oxlint-disable no-var, prefer-template
import { BROKEN_EVENT, LIVE_ATTRIBUTE, ROOT_ID } from './show-plain-links.ts';

// A request may hang for ever.
const PATIENCE_MS = 10_000;

// By then every script of the page has run or failed, unless one hangs.
document.addEventListener('DOMContentLoaded', show);
document.addEventListener(BROKEN_EVENT, show);
setTimeout(show, PATIENCE_MS);

function show(): void {
  if (document.querySelector('#' + ROOT_ID + '[' + LIVE_ATTRIBUTE + ']')) return;
  var texts = document.querySelectorAll('noscript');
  // From the last: the list is shorter after each of them.
  for (var index = texts.length - 1; index >= 0; index -= 1) {
    var text = texts[index];
    if (text) text.outerHTML = text.textContent;
  }
}
