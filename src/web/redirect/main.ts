import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { findLine } from '../../engine/redirect/find-line.ts';
import { settleLinks } from '../../engine/portal/load-links.ts';
import { buildDestination } from '../kit/start/build-destination.ts';
import { openEngine } from '../kit/start/open-engine.ts';
import { readPageData } from '../kit/document/page-data.ts';
import { whenActivated } from '../kit/start/when-activated.ts';
import type { RedirectData } from './render-redirect.ts';

const root = document.documentElement;
// Written by render-redirect.ts.
const data = readPageData(document) as RedirectData;
const { effects, prober, report } = openEngine(window, data);
const store = createBrowserStore(() => localStorage);
let search = new AbortController();

root.hidden = true;
whenActivated(document, () => void goToLine());

// A page out of the browser's back/forward cache may have lost its calls on the way.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) tryAgain();
});

// On the document, because this script runs before there is a button: "try again" is the only one.
document.addEventListener('click', ({ target }) => {
  // A translated label is an element of its own.
  if (target instanceof Element && target.closest('button')) tryAgain();
});

function tryAgain(): void {
  prober.clear();
  report.forget();
  void goToLine();
}

/** Takes the visitor to the fastest line. Where there is none, and only then, the page shows itself. */
async function goToLine(): Promise<void> {
  search.abort();
  search = new AbortController();
  const { signal } = search;
  root.dataset['busy'] = '';
  const found = await findLine({
    ...effects,
    ...data,
    ...data.lines,
    prober,
    report,
    signal,
    askLinks: (asked) => settleLinks(asked, { ...effects, store }),
    // Whatever a browser may lack: a page that says so is better than none.
  }).catch(() => ({ kind: 'none' as const }));
  if (signal.aborted) return;
  // First of all: the report can leave while the browser is on its way.
  if (found.kind === 'found') {
    location.replace(buildDestination(found.line.address, location, data.keepQuery));
    report.send(found.line.host);
    if (!(await found.isRevoked) || signal.aborted) return;
    // The browser is on its way, and has not left yet.
    stop();
  } else report.send();
  // The style does the rest, whether or not the body has been parsed by now.
  root.dataset['outcome'] = found.kind === 'none' ? 'none' : 'restricted';
  delete root.dataset['busy'];
  root.hidden = false;
}
