import { hydrateRoot } from 'react-dom/client';
import { readPageData } from '../page-data.ts';
import { createIdleHandOver } from './idle-hand-over.ts';
import type { LandingData } from './landing-content.ts';
import { LandingPage } from './landing-page.tsx';
import { ROOT_ID } from './root-id.ts';

// Written by render-landing.tsx.
const { content } = readPageData(document) as LandingData;
const root = document.getElementById(ROOT_ID);

if (root) {
  // Without the start script, which a bad network may lose, trying again means loading the page again.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, () => location.reload());
  hydrateRoot(root, <LandingPage content={content} handOver={handOver} />);
}
