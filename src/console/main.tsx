import './tokens.css';
import { createRoot } from 'react-dom/client';
import { findConsoleLanguage } from '../contract/console-language.ts';
import { findConsoleTheme } from '../contract/console-theme.ts';
import { CONSOLE_PATHS } from '../contract/paths.ts';
import { ConsolePage } from './console-page.tsx';
import { createFeed } from './live/create-feed.ts';
import { leaveToSignIn } from './live/leave-to-sign-in.ts';
import { createSettings } from './locale/create-settings.ts';

/** A request that hangs must not block the next attempt. */
const CHECK_TIMEOUT_MS = 5_000;

const root = document.getElementById('console');

if (root) {
  const feed = createFeed({
    openSource: () => new EventSource(CONSOLE_PATHS.events),
    checkAccess: async () => {
      const { status } = await fetch(CONSOLE_PATHS.overview, {
        signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      });
      if (status === 401) leaveToSignIn();
    },
    setTimer: (job, delayMs) => window.setTimeout(job, delayMs),
    clearTimer: (timer) => window.clearTimeout(timer),
    now: Date.now,
  });
  feed.start();
  const { languages } = navigator;
  const hints = { languages, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone, now: Date.now };
  const settings = createSettings({
    language: findConsoleLanguage([document.documentElement.lang]),
    theme: findConsoleTheme(document.documentElement.dataset['theme']),
    setCookie: (cookie) => {
      document.cookie = cookie;
    },
    openStorage: () => localStorage,
  });
  createRoot(root).render(<ConsolePage feed={feed} settings={settings} hints={hints} />);
}
