import { hydrateRoot } from 'react-dom/client';
import { readPageData } from '../page-data.ts';
import { createIdleHandOver } from './idle-hand-over.ts';
import { LandingPage } from './landing-page.tsx';
import { ROOT_ID } from './root-id.ts';
import { startObservation } from './start-observation.ts';

const { content, observation } = readPageData(document);
const root = document.getElementById(ROOT_ID);

if (content && root) {
  // Without the start script, which a bad network may lose, trying again means loading the page again.
  const handOver = window.waypost ?? createIdleHandOver('failed', content.links, () => location.reload());
  const question = observation && startObservation(window, handOver, observation);
  hydrateRoot(root, <LandingPage content={content} handOver={handOver} question={question} />);
}
