import type { Store } from '../../../contract/create-store.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import { createBrowserStore } from '../../../engine/effects/browser-effects.ts';
import type { Consent } from '../../kit/consent/create-consent.ts';
import { whileGranted } from '../../kit/consent/while-granted.ts';
import type { ReadDevice } from '../create-read-device.ts';
import { type Analytics, createAnalytics } from './create-analytics.ts';
import { createGtag } from './create-gtag.ts';
import { watchControls } from './watch-controls.ts';

/** The address of the page tag, with its measurement id in it, and the id. */
export type TagSettings = { readonly url: string; readonly measurementId: string };

/** The address of our own script that counts visits, and whether it also counts visitors who have not answered yet. */
export type CountsScript = { readonly url: string; readonly withoutConsent: boolean };

export type AnalyticsStart = {
  readonly tag: TagSettings | undefined;
  readonly counts: CountsScript | undefined;
  readonly board: Store<BoardSnapshot>;
  readonly consent: Consent;
  readonly readDevice: ReadDevice;
  /** Resolves when the page is usable. The tag is loaded after that. */
  readonly usable: Promise<void>;
};

/** Starts the analytics of this page: watches its controls at once, and loads the tag later, if there is one. */
export function startAnalytics(
  page: Window,
  { tag, counts, board, consent, readDevice, usable }: AnalyticsStart,
): Analytics {
  const analytics = createAnalytics({
    gtag: createGtag(page),
    consent,
    measurementId: tag?.measurementId,
    readDevice,
    referrer: page.document.referrer,
    visitStore: createBrowserStore(() => page.sessionStorage),
    readDate: () => new Date(),
  });
  watchControls(page.document, board, analytics);

  // By `import()`, because a script element would delay the load event. If it fails, the page goes on.
  const loadCounts = (): void => {
    if (counts) void import(/* @vite-ignore */ counts.url).catch(() => undefined);
  };
  if (counts?.withoutConsent && consent.getSnapshot().choice !== 'refused') loadCounts();
  let isLoaded = false;
  whileGranted(consent, async (signal) => {
    loadCounts();
    await usable;
    // A loaded tag learns the visitor's choice from its queue.
    if (!tag || isLoaded || signal.aborted) return;
    isLoaded = true;
    loadTag(page.document, tag.url);
  });
  return analytics;
}

/** Loads the page tag. Nothing waits for it, so a blocked or broken one does no harm. */
function loadTag(document: Document, url: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = url;
  document.head.append(script);
}
