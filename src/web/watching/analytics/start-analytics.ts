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

export type AnalyticsStart = {
  readonly tag: TagSettings | undefined;
  /** Small scripts of our own that watch the page, too. They are loaded as soon as the visitor agrees. */
  readonly scripts: readonly string[];
  /** Whether they are loaded for visitors who have not answered yet, too. */
  readonly beforeAnswer: boolean;
  readonly board: Store<BoardSnapshot>;
  readonly consent: Consent;
  readonly readDevice: ReadDevice;
  /** Resolves when the page is usable. The tag is loaded after that. */
  readonly usable: Promise<void>;
};

/** Starts the analytics of this page: watches its controls at once, and loads the tag later, if there is one. */
export function startAnalytics(
  page: Window,
  { tag, scripts, beforeAnswer, board, consent, readDevice, usable }: AnalyticsStart,
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
  const loadScripts = (): void => {
    for (const url of scripts) void import(/* @vite-ignore */ url).catch(() => undefined);
  };
  if (beforeAnswer && consent.getSnapshot().choice !== 'refused') loadScripts();
  let isLoaded = false;
  whileGranted(consent, async (signal) => {
    loadScripts();
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
