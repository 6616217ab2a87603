import { type CountsSettings, openCounts } from './open-counts.ts';

declare global {
  // Only an interface merges with the DOM's own.
  interface Window {
    /** Set by the landing page for scripts that only some sites load. */
    waypostWatched?: CountsSettings | undefined;
  }
}

if (window.waypostWatched) openCounts(window, window.waypostWatched);
