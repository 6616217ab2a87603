import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readPageData } from '../kit/document/page-data.ts';
import type { HandOver } from './hand-over.ts';
import { createIdleHandOver } from './hand-over.ts';
import type { ConsentQuestion } from '../kit/consent/create-consent.ts';
import type { LandingData } from './landing-data.ts';
import { LandingPage } from './landing-page.tsx';
import { ROOT_ID, markLive } from './show-plain-links.ts';
import { startObservation } from './start-observation.ts';

// Written by render-landing.tsx.
const { content, observation } = readPageData(document) as LandingData;
const root = document.getElementById(ROOT_ID);

if (root) {
  // If the start script did not load, "try again" reloads the page.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, () => location.reload());
  delete window.waypost;
  const question = observe(handOver);
  const page = <LandingPage content={content} handOver={handOver} question={question} />;
  if (markLive(root)) {
    // Plain links were shown instead of the page. Render it anew.
    createRoot(root).render(page);
  } else {
    // In a transition, so that a slow phone can scroll meanwhile.
    startTransition(() => {
      hydrateRoot(root, page);
    });
  }
}

/** Starts analytics and monitoring. If that fails, the error is reported and the page goes on. */
function observe(handOver: HandOver): ConsentQuestion | undefined {
  try {
    return startObservation(window, handOver, observation);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
    return undefined;
  }
}
