import { FRESH_PARAMETER } from '../../contract/page/kept-lines.ts';
import { readPageData } from '../kit/document/page-data.ts';
import type { ConsentQuestion } from '../kit/consent/create-consent.ts';
import { fetchRowsAhead } from './fetch-rows-ahead.ts';
import { type HandOver, createIdleHandOver } from './create-idle-hand-over.ts';
import { deferEventsUntilHydration } from './defer-events-until-hydration.ts';
import type { LandingData } from './create-landing-data.ts';
import { holdInAppPlace } from './notices/in-app-place.ts';
import { paintRows } from './lines/paint-rows.ts';
import { serveRetest } from './lines/retest-button.ts';
import { ROOT_ID, markLive, showPlainLinks } from './show-plain-links.ts';
import { startObservation } from './start-observation.ts';
import { whenReactMayStart, whenSeen, whenUsable } from './when-usable.ts';

// Written by render-landing.tsx.
const { content, beams, observation, mayKeep, campaign } = readPageData(document) as LandingData;
const root = document.getElementById(ROOT_ID);

// The start script began and broke, because the browser lacks something. The plain links are shown.
if ('waypost' in window && !window.waypost) throw new Error('the start script broke');

if (root) {
  holdInAppPlace(window, root);
  // If the start script did not load, "try again" loads the page without the service worker, which may be broken.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, reloadFresh);
  delete window.waypost;
  fetchRowsAhead(window, handOver.board);
  void show(root, handOver).catch((error: unknown) => {
    showPlainLinks(root);
    throw error;
  });
}

/** Shows what is measured at once. React takes the page over later. */
async function show(root: HTMLElement, handOver: HandOver): Promise<void> {
  const isPlain = markLive(root);
  if (!isPlain) paintRows(root, handOver.board, content.texts);
  const question = observe(handOver);
  serveRetest(document, handOver.board);
  if (beams && mayMove(window)) void showBeams(handOver).catch(() => undefined);
  if (mayKeep) void keep(handOver).catch(() => undefined);
  const { whenReactIsWanted, release } = deferEventsUntilHydration(window, root);
  // Loads React ahead. If this fails, loading it below fails, too.
  void whenSeen(window)
    .then(loadReact)
    .catch(() => undefined);
  try {
    await Promise.race([whenReactIsWanted, whenReactMayStart(window, handOver)]);
    const { showPage } = await loadReact();
    await showPage(root, { content, handOver, question }, isPlain);
  } finally {
    release();
  }
}

/** Shows the race, but starts nothing before the page is there. The page works without it. */
async function showBeams(handOver: HandOver): Promise<void> {
  await whenSeen(window);
  const { startBeams } = await import('./lines/start-beams.ts');
  startBeams(window, handOver);
}

/** Not for visitors who want no motion, who save data, or who look at something else. */
function mayMove(page: Window): boolean {
  const isStill = page.matchMedia('(prefers-reduced-motion: reduce), (forced-colors: active)').matches;
  return !isStill && !page.navigator.connection?.saveData && !page.document.hidden;
}

/** Keeps what is needed to get in while the portal cannot be reached. The page works without it. */
async function keep(handOver: HandOver): Promise<void> {
  await whenUsable(window, handOver);
  const { keepPage } = await import('../offline/keep-page.ts');
  await keepPage(window, handOver.board);
}

function reloadFresh(): void {
  location.search = FRESH_PARAMETER;
}

function loadReact() {
  return import('./show-page.tsx');
}

/** Starts analytics and monitoring. If that fails, the error is reported and the page goes on. */
function observe(handOver: HandOver): ConsentQuestion | undefined {
  try {
    return observation && startObservation(window, handOver, observation, campaign?.code);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
    return undefined;
  }
}
