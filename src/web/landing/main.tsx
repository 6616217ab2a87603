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
  // Without the start script, which a bad network may lose, trying again means loading the page again.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, () => location.reload());
  delete window.waypost;
  const question = observe(handOver);
  const page = <LandingPage content={content} handOver={handOver} question={question} />;
  if (markLive(root)) {
    // The plain links that have taken the page's place give way to it.
    createRoot(root).render(page);
  } else {
    // In small steps, between which a slow phone can scroll.
    startTransition(() => {
      hydrateRoot(root, page);
    });
  }
}

/** Whatever becomes of what watches the page, the page itself goes on. */
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
