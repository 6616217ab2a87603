import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { createLineBoard } from '../../engine/board/create-line-board.ts';
import { createAskAnybody } from '../../engine/probe/create-ask-anybody.ts';
import { loadLinks } from '../../engine/portal/load-links.ts';
import { openEngine } from '../kit/start/open-engine.ts';
import { readPageData } from '../kit/document/page-data.ts';
import type { HandOver } from './create-idle-hand-over.ts';
import type { LandingData } from './create-landing-data.ts';
import { createLinksStore } from './create-links-store.ts';

// If the script breaks before the end, this shows that it has begun.
window.waypost = undefined;
// Written by render-landing.tsx.
const data = readPageData(document) as LandingData;
const { effects, prober, report } = openEngine(window, data, createAskAnybody);
const store = createBrowserStore(() => localStorage);
const board = createLineBoard({ ...effects, ...data, ...data.lines, prober, report });
// In this script, because a visitor may click before React has loaded. `auxclick` is the middle button, which opens a
// link too, and the right one. Captured, because defer-events-until-hydration.ts lets no click through until then.
for (const name of ['click', 'auxclick'] as const) {
  document.addEventListener(
    name,
    ({ target, button, detail }) => {
      // The second click of a double click enters no other line.
      const link =
        button < 2 &&
        detail < 2 &&
        target instanceof Element &&
        target.closest<HTMLAnchorElement>('a[data-line]');
      if (!link) return;
      report.enter(board.getSnapshot().rows.find(({ address }) => address === link.origin)?.host);
      // The browser opens the line first.
      setTimeout(report.send, 0);
    },
    true,
  );
}
const links = createLinksStore({
  rendered: data.content.links,
  loadLinks: (loading) => loadLinks(new AbortController().signal, { ...effects, store }, loading),
  // The site starts only with its links. No other request is sent before.
  onUsable: board.start,
});

void links.load();
window.waypost = { board, links } satisfies HandOver;
