import { startTransition } from 'react';
import { type RootOptions, createRoot, hydrateRoot } from 'react-dom/client';
import { readPageData } from '../kit/document/page-data.ts';
import { fetchRowsAhead } from './fetch-rows-ahead.ts';
import type { HandOver } from './hand-over.ts';
import { createIdleHandOver } from './hand-over.ts';
import type { ConsentQuestion } from '../kit/consent/create-consent.ts';
import type { LandingData } from './landing-data.ts';
import { LandingPage } from './landing-page.tsx';
import { ROOT_ID, markLive, replaceByPlainLinks } from './show-plain-links.ts';
import { startObservation } from './start-observation.ts';

// Written by render-landing.tsx.
const { content, observation } = readPageData(document) as LandingData;
const root = document.getElementById(ROOT_ID);

// The start script began and broke, because the browser lacks something. The plain links are shown.
if ('waypost' in window && !window.waypost) throw new Error('the start script broke');

if (root) {
  // If the start script did not load, "try again" reloads the page.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, () => location.reload());
  delete window.waypost;
  fetchRowsAhead(window, handOver.board);
  const question = observe(handOver);
  const page = <LandingPage content={content} handOver={handOver} question={question} />;
  const sent = root.innerHTML;
  const options: RootOptions = {
    onUncaughtError(error) {
      throwLater(error);
      replaceByPlainLinks(root, sent);
    },
  };
  if (markLive(root)) {
    // Plain links were shown instead of the page. Render it anew.
    createRoot(root, options).render(page);
  } else {
    // In a transition, so that a slow phone can scroll meanwhile.
    startTransition(() => {
      hydrateRoot(root, page, options);
    });
  }
}

/** Starts analytics and monitoring. If that fails, the error is reported and the page goes on. */
function observe(handOver: HandOver): ConsentQuestion | undefined {
  try {
    return startObservation(window, handOver, observation);
  } catch (error) {
    throwLater(error);
    return undefined;
  }
}

/** Reports an error as if nobody had caught it. */
function throwLater(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
