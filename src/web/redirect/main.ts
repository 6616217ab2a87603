import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { HOSTNAMES_PATH } from '../../contract/paths.ts';
import { findLine } from '../../engine/redirect/find-line.ts';
import { waitForLinks } from '../../engine/portal/load-links.ts';
import { buildDestination } from '../kit/start/build-destination.ts';
import { createFetchAhead } from '../kit/start/create-fetch-ahead.ts';
import { openEngine } from '../kit/start/open-engine.ts';
import { readPageData } from '../kit/document/page-data.ts';
import { whenActivated } from '../kit/start/when-activated.ts';
import { keepLines, registerWorker } from '../offline/keep-lines.ts';
import type { RedirectData } from './render-redirect.ts';

const root = document.documentElement;
// Written by render-redirect.ts.
const data = readPageData(document) as RedirectData;
const { effects, prober, report } = openEngine(window, data);
const store = createBrowserStore(() => localStorage);
const fetchAhead = createFetchAhead(window);
let search = new AbortController();
/** What tells the device: an iPad calls itself a Mac, which has no touch screen. */
const agent = `${navigator.maxTouchPoints} ${navigator.userAgent}`;
/** Where the link of a campaign ends. Empty on `/r` itself. */
const end = data.campaign?.by?.find(({ words }) => agent.match(words))?.end ?? data.campaign?.end ?? {};

root.hidden = true;
whenActivated(document, () => void goToLine());

// The calls of a page in the back/forward cache may be lost.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) tryAgain();
});

// On the document, because this script runs before the button exists. "Try again" is the only button.
document.addEventListener('click', ({ target }) => {
  // Translators put an element around the label. What is clicked is an element.
  if ((target as Element).closest('button')) tryAgain();
});

function tryAgain(): void {
  prober.clear();
  report.forget();
  void goToLine();
}

/** Takes the visitor to the fastest line, or where the link of a campaign ends. Only if there is no line, the page is shown. */
async function goToLine(): Promise<void> {
  if (end.go) {
    root.dataset['steps'] = 'entered';
    location.replace(end.go);
    // If an app opens it, this page stays.
    setTimeout(showOutcome, 1_500, 'broken');
    return;
  }
  search.abort();
  search = new AbortController();
  const { signal } = search;
  root.className = 'busy';
  const found = await findLine({
    ...effects,
    ...data,
    ...data.lines,
    prober,
    report,
    signal,
    // After the probes have been sent, and before the page is gone.
    onHosts: ({ hosts }) => setTimeout(keepLines, 0, HOSTNAMES_PATH, hosts, data.mayKeep),
    fetchAhead: ({ address }) => fetchAhead(destinationOf(address)),
    askLinks: (asked) => waitForLinks(asked, { ...effects, store }),
    // A browser may lack something. Plain links are better than an empty page.
  }).catch(() => ({ kind: 'broken' as const }));
  if (signal.aborted) return;
  // Navigate first. The report is sent while the browser loads the line.
  if (found.kind === 'found') {
    // After the race, because starting a worker takes processor time; before the navigation, because then the page is
    // gone.
    if (data.mayKeep) void registerWorker();
    // The script that counts sends it.
    root.dataset['steps'] = 'first_row entered';
    location.replace(destinationOf(found.line.address));
    report.enter(found.line.host);
    report.send();
    const revokedBy = await found.revokedBy;
    if (!revokedBy || signal.aborted) return;
    // The navigation has not happened yet. Stop it.
    stop();
    showOutcome(revokedBy);
  } else {
    report.send();
    showOutcome(found.kind);
  }
}

/** Shows the page with its message. The style does it, even if the body is not parsed yet. */
function showOutcome(outcome: string): void {
  root.className = outcome;
  root.hidden = false;
}

function destinationOf(address: string): string {
  return buildDestination(address, end, data.keepQuery ? location : undefined);
}
