import { EVENTS_PATH } from '../../../contract/paths.ts';
import type { Store } from '../../../contract/create-store.ts';
import type { VisitEvents } from '../../../contract/visit-events.ts';
import type { VisitStep } from '../../../contract/visitors.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import type { Consent } from '../../kit/consent/create-consent.ts';
import type { Use } from '../analytics/create-analytics.ts';
import type { ReadDevice } from '../create-read-device.ts';
import { watchVitals } from '../watch-vitals.ts';

export type CountsSettings = {
  readonly board: Store<BoardSnapshot>;
  readonly links: Store<{ readonly kind: string }>;
  readonly readDevice: ReadDevice;
  /** What the visitor did. `openCounts` takes out what it has counted. */
  readonly uses: Use[];
  readonly consent: Pick<Consent, 'getSnapshot' | 'subscribe'>;
  /** Whether visitors who have not answered yet are counted. Those who refused never are. */
  readonly withoutConsent?: boolean | undefined;
  /** What brought the visitor: the link of a campaign, and parameters of the address. */
  readonly from?: VisitEvents['from'];
};

/** Steps are sent after 5 s. */
const PAUSE_MS = 5_000;
/** Uses are sent after 0.5 s, because a browser may end a page without an event. */
const USE_PAUSE_MS = 500;

/**
 * Counts what happens on this page, from its beginning on, and sends it in batches: after a pause, and when the page is
 * hidden or left. Nothing in a batch tells one visitor from another.
 */
export function openCounts(page: Window & typeof globalThis, settings: CountsSettings): void {
  const { board, links, readDevice, uses, consent, withoutConsent, from } = settings;
  const { document, navigator } = page;
  /** The steps of this visit that are in a batch, sent or not. A page in the back/forward cache keeps them. */
  const taken = new Set<VisitStep>();
  let vitals = watchVitals(page);
  let steps: VisitStep[] = [];
  let events: Record<string, number> = {};
  let lines: Record<string, number> = {};
  let hasNews = false;
  const timer = createSendTimer(page, () => send());

  function mayCount(): boolean {
    const { choice } = consent.getSnapshot();
    return choice === 'granted' || (!!withoutConsent && choice !== 'refused');
  }

  /** Takes over what has happened. Calling it often does no harm. */
  function catchUp(): void {
    if (!mayCount()) {
      for (const step of steps) taken.delete(step);
      return clear();
    }
    const { rows } = board.getSnapshot();
    reach('page_view', true);
    const { kind } = links.getSnapshot();
    reach('links_loaded', kind !== 'loading' && kind !== 'failed');
    reach(
      'first_row',
      rows.some(({ speed }) => speed.key === 'measured'),
    );
    for (const event of uses.splice(0)) {
      add(events, event.name);
      if (event.name !== 'official_line') continue;
      reach('entered', true);
      add(lines, event.entered?.row.host ?? '');
    }
  }

  function reach(step: VisitStep, isReached: boolean): void {
    if (!isReached || taken.has(step)) return;
    taken.add(step);
    steps.push(step);
    sendSoon();
  }

  function add(counts: Record<string, number>, name: string): void {
    counts[name] = (counts[name] ?? 0) + 1;
    sendSoon(true);
  }

  function sendSoon(isUse = false): void {
    hasNews = true;
    timer.start(isUse);
  }

  function send(isLeft = document.hidden): void {
    timer.stop();
    catchUp();
    // Vitals may change for as long as the page is seen.
    const lastVitals = isLeft ? vitals : undefined;
    if (!mayCount() || !(hasNews || lastVitals)) return;
    const batch = {
      device: readDevice(),
      language: document.documentElement.lang,
      referrer: readReferrer(document.referrer, page.location.hostname),
      steps,
      from,
      events,
      lines,
      vitals: lastVitals,
    } satisfies VisitEvents;
    // What the browser does not take goes into the next batch.
    if (!navigator.sendBeacon?.(EVENTS_PATH, JSON.stringify(batch))) return;
    if (lastVitals) vitals = undefined;
    clear();
  }

  function clear(): void {
    steps = [];
    events = {};
    lines = {};
    hasNews = false;
  }

  for (const store of [board, links, consent]) store.subscribe(catchUp);
  // These come after the listeners that note what the visitor uses.
  for (const name of ['click', 'auxclick']) document.addEventListener(name, catchUp);
  document.addEventListener('visibilitychange', () => document.hidden && send());
  // Some browsers leave a page without hiding it first.
  page.addEventListener('pagehide', () => send(true));
  // The visitor may have left before this was loaded.
  if (document.hidden) send();
  else catchUp();
}

/** Sends once, 5 s after a step or 0.5 s after a use. */
function createSendTimer(page: Window, send: () => void) {
  let timer = 0;
  let isHurried = false;
  const stop = (): void => {
    page.clearTimeout(timer);
    timer = 0;
  };
  return {
    stop,
    start(isUse: boolean): void {
      if (timer && (isHurried || !isUse)) return;
      stop();
      isHurried = isUse;
      timer = page.setTimeout(send, isUse ? USE_PAUSE_MS : PAUSE_MS);
    },
  };
}

/** The host that led here. Empty if there is none, or if it is this site. */
function readReferrer(referrer: string, own: string): string {
  const host = /\/\/([^/:]*)/.exec(referrer)?.[1] ?? '';
  return host === own ? '' : host;
}
