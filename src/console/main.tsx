import './tokens.css';
import { createRoot } from 'react-dom/client';
import { CONSOLE_PATHS } from '../contract/paths.ts';
import { ConsolePage } from './console-page.tsx';
import { createFeed } from './live/create-feed.ts';

/** A network that swallows everything must not keep the next attempt waiting. */
const CHECK_TIMEOUT_MS = 5_000;

const root = document.getElementById('console');

if (root) {
  const feed = createFeed({
    openSource: () => new EventSource(CONSOLE_PATHS.events),
    checkAccess: async () => {
      const { status } = await fetch(CONSOLE_PATHS.overview, {
        signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      });
      // The session has ended: the server sends the form in place of the page.
      if (status === 401) location.reload();
    },
    setTimer: (job, delayMs) => window.setTimeout(job, delayMs),
    clearTimer: (timer) => window.clearTimeout(timer),
    now: Date.now,
  });
  feed.start();
  createRoot(root).render(<ConsolePage feed={feed} />);
}
