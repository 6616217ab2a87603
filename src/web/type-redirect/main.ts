import { LANDING_PATH, TYPE_REDIRECT_PATH } from '../../contract/paths.ts';
import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { findTarget } from '../../engine/redirect/find-target.ts';
import { guardTarget } from '../../engine/portal/guard-target.ts';
import { settleLinks } from '../../engine/portal/load-links.ts';
import { buildDestination } from '../kit/start/build-destination.ts';
import { openEngine } from '../kit/start/open-engine.ts';
import { readPageData } from '../kit/document/page-data.ts';
import { whenActivated } from '../kit/start/when-activated.ts';
import type { TypeRedirectData } from './render-type-redirect.tsx';
import { ADDRESS_ID, AGAIN_ID, ENTER_ID, PROVEN_ATTRIBUTE, showState } from './view-state.ts';

const { hostname, pathname, search, hash } = location;
// Written by render-type-redirect.tsx.
const data = readPageData(document) as TypeRedirectData;
const guarded = guardTarget({ hostname, path: pathname, allowedHosts: data.allowedHosts });

switch (guarded.kind) {
  case 'target':
    serve(guarded.target);
    break;
  case 'default':
    location.replace(`${TYPE_REDIRECT_PATH}/${guarded.target}${search}${hash}`);
    break;
  case 'refused':
    location.replace(LANDING_PATH);
}

/** Chooses the target's fastest address, and again whenever that may have changed. */
function serve(target: string): void {
  const { effects, prober, onRefused } = openEngine(window, data);
  const store = createBrowserStore(() => localStorage);
  let choice = new AbortController();
  let destination: string | undefined;

  async function choose(): Promise<void> {
    choice.abort();
    choice = new AbortController();
    const { signal } = choice;
    showState(document, 'choosing');
    const found = await findTarget(target, {
      ...effects,
      prober,
      signal,
      askLinks: (asked) => settleLinks(asked, { ...effects, store }),
      onRefused,
      // Whatever a browser may lack: to say so is better than to go on choosing for ever.
    }).catch(() => ({ kind: 'failed' as const }));
    if (signal.aborted) return;
    showState(document, found.kind);
    if (found.kind !== 'found') return;
    destination = buildDestination(found.address, location, data.keepQuery);
    whenParsed(document, () => offerEntry(found.isProven));
  }

  function offerEntry(isProven: boolean): void {
    // Where the button leads, to read and to copy. The page's speculation rules fetch it ahead once it is marked as proven.
    const address = document.querySelector<HTMLAnchorElement>(`#${ADDRESS_ID}`);
    if (address && destination) {
      address.href = destination;
      address.textContent = address.host;
      address.toggleAttribute(PROVEN_ATTRIBUTE, isProven);
    }
    document.getElementById(ENTER_ID)?.focus();
  }

  whenActivated(document, () => void choose());

  // Whoever comes back may have found the address dead.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void choose();
  });

  // On the document, because this script runs before there is a button.
  document.addEventListener('click', ({ target: clicked }) => {
    const button = clicked instanceof Element ? clicked.closest('button') : undefined;
    if (button?.id === ENTER_ID && destination) location.assign(destination);
    if (button?.id === AGAIN_ID) {
      prober.clear();
      void choose();
    }
  });
}

/** Acts as soon as every element of the page is there: a script in its head may be done before. */
function whenParsed(document: Document, act: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', act, { once: true });
  else act();
}
