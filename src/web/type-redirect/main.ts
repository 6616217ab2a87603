import {
  LANDING_PATH,
  OFFLINE_SHELL_PATHS,
  TYPE_REDIRECT_PATH,
  targetFilePath,
} from '../../contract/paths.ts';
import { MAX_ROWS } from '../../contract/limits.ts';
import { OFFLINE_CACHE } from '../../contract/page/storage-keys.ts';
import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { createAskAnybody } from '../../engine/probe/create-ask-anybody.ts';
import { type FoundTarget, type TargetProof, findTarget } from '../../engine/redirect/find-target.ts';
import { guardTarget } from '../../engine/portal/guard-target.ts';
import { waitForLinks } from '../../engine/portal/load-links.ts';
import { formatText } from '../kit/texts/format-text.ts';
import { buildDestination } from '../kit/start/build-destination.ts';
import { openEngine } from '../kit/start/open-engine.ts';
import { readPageData } from '../kit/document/page-data.ts';
import { whenActivated } from '../kit/start/when-activated.ts';
import { keepLines, registerWorker } from '../offline/keep-lines.ts';
import type { TypeRedirectData } from './render-type-redirect.tsx';
import {
  ADDRESS_ID,
  AGAIN_NAME,
  ANYWAY_ID,
  ENTER_ID,
  FINDING_ID,
  OTHER_ID,
  PROVEN_ATTRIBUTE,
  type ViewState,
  showState,
} from './view-state.ts';

const { hostname, pathname, search, hash } = location;
// Written by render-type-redirect.tsx.
const data = readPageData(document) as TypeRedirectData;
/** A link of a campaign opens this page under its own path. */
const named = data.campaign?.end.target;
const path = named ? `${TYPE_REDIRECT_PATH}/${named}` : pathname;
const guarded = guardTarget({ hostname, path, allowedHosts: data.allowedHosts });

switch (guarded.kind) {
  case 'target':
    serve(guarded.target);
    break;
  case 'default':
    leaveFor(`${TYPE_REDIRECT_PATH}/${guarded.target}${search}${hash}`);
    break;
  case 'refused':
    leaveFor(LANDING_PATH);
}

function leaveFor(path: string): void {
  showState(document, 'choosing');
  location.replace(path);
}

/** Chooses the target's fastest address, and again when the visitor comes back or tries again. */
function serve(target: string): void {
  const { effects, prober, onRefused } = openEngine(window, data, createAskAnybody);
  const store = createBrowserStore(() => localStorage);
  const root = document.documentElement;
  let choice = new AbortController();
  let destination: string | undefined;
  let isWrongServer = false;
  let steps = '';

  async function choose(): Promise<void> {
    choice.abort();
    choice = new AbortController();
    const { signal } = choice;
    showState(document, 'choosing');
    const found = await findTarget(target, {
      ...effects,
      prober,
      signal,
      askLinks: (asked) => waitForLinks(asked, { ...effects, store }),
      onRefused,
      onListed: (hosts) => void keep(target, hosts).catch(() => undefined),
      // A browser may lack something. Plain links are better than waiting for ever.
    }).catch(() => undefined);
    if (signal.aborted) return;
    isWrongServer = found?.kind === 'wrong-server';
    showState(document, found && stateOf(found));
    if (found?.kind === 'restricted' || found?.kind === 'maintenance') void keep(target);
    if (!found || !('address' in found)) return;
    // The script that counts sends it.
    steps = found.kind === 'found' && found.proof ? 'first_row' : '';
    root.dataset['steps'] = steps;
    const chosen = buildDestination(found.address, {}, data.keepQuery ? location : undefined);
    destination = chosen;
    whenParsed(document, () => {
      offerEntry(chosen, found);
      offerOther(found.kind === 'found' ? undefined : found.other);
    });
  }

  function chooseAgain(): void {
    prober.clear();
    void choose();
  }

  whenActivated(document, () => void choose());

  // The address may not have worked.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) chooseAgain();
  });

  // On the document, because this script runs before the button exists.
  document.addEventListener('click', (event) => {
    const { target: clicked, detail } = event;
    // The second click of a double click was meant for what was there before.
    if (detail > 1) return event.preventDefault();
    const button = clicked instanceof Element ? clicked.closest('button') : undefined;
    if (button?.id === ENTER_ID && isWrongServer) warn();
    else if ((button?.id === ENTER_ID || button?.id === ANYWAY_ID) && destination) {
      root.dataset['steps'] = `${steps} entered`.trim();
      location.assign(destination);
    }
    if (button?.name === AGAIN_NAME) chooseAgain();
  });
}

/** Keeps the addresses and the shell, after the probes. Without addresses the site is closed for this visitor. */
async function keep(target: string, hosts?: readonly unknown[]): Promise<void> {
  await keepLines(targetFilePath(target), hosts?.slice(0, MAX_ROWS), data.mayKeep);
  if (!hosts || !data.mayKeep) return;
  await registerWorker();
  const cache = await caches.open(OFFLINE_CACHE);
  await cache.addAll([OFFLINE_SHELL_PATHS['type-redirect'], OFFLINE_SHELL_PATHS.away]);
}

/** The button of a wrong server has the same name. The page warns above it, and the first click offers another address. */
function stateOf(found: FoundTarget): ViewState {
  if (found.kind === 'wrong-server') return 'unproven';
  return found.kind === 'found' && !found.proof ? 'none' : found.kind;
}

/** Shows the address to read and to copy. If it is marked as proven, the page's speculation rules load it ahead. */
function offerEntry(destination: string, found: Extract<FoundTarget, { address: string }>): void {
  const proof = found.kind === 'found' ? found.proof : undefined;
  const address = document.querySelector<HTMLAnchorElement>(`#${ADDRESS_ID}`);
  if (address) {
    address.href = destination;
    address.textContent = address.host;
    if (found.kind === 'wrong-server') address.removeAttribute('href');
    address.toggleAttribute(PROVEN_ATTRIBUTE, proof !== undefined);
  }
  showFinding(proof, found.kind === 'wrong-server');
  // Where no address proved itself, a new try is the first choice.
  const first = proof === undefined ? `[data-when=found] [name=${AGAIN_NAME}]` : `#${ENTER_ID}`;
  document.querySelector<HTMLElement>(first)?.focus();
}

/**
 * Says what was measured, or that another server answers. Only what is true: a page that was hidden has no time, and without a proof
 * nothing stays of what was said of another address before.
 */
function showFinding(proof: TargetProof | undefined, isWrongServer: boolean): void {
  const finding = document.getElementById(FINDING_ID);
  if (!finding) return;
  const { fastest = '', verified = '', unproven = '' } = finding.dataset;
  const facts = proof && [
    proof.timeMs && `${proof.timeMs} ms`,
    proof.of > 1 && formatText(fastest, { n: proof.of }),
    verified,
  ];
  finding.textContent = isWrongServer ? unproven : (facts?.filter(Boolean).join(' · ') ?? '');
}

/** Offers another address beside the warning. */
function offerOther(other: string | undefined): void {
  const link = document.querySelector<HTMLAnchorElement>(`#${OTHER_ID}`);
  if (!link) return;
  link.hidden = !other;
  if (other) link.href = buildDestination(other, {}, data.keepQuery ? location : undefined);
  if (link.lastElementChild) link.lastElementChild.textContent = link.host;
}

/** Warns of a wrong server. The focus is on the other address, or else on the new try. */
function warn(): void {
  showState(document, 'wrong-server');
  document
    .querySelector<HTMLElement>(`#${OTHER_ID}:not([hidden]),[data-when="wrong-server"] button`)
    ?.focus();
}

/** Acts when the whole page is parsed. A script in the head runs before that. */
function whenParsed(document: Document, act: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', act, { once: true });
  else act();
}
