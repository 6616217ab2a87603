import { createBrowserStore } from '../../engine/effects/browser-effects.ts';
import { SOURCE_MAX_CHARS } from '../../contract/limits.ts';
import type { VisitEvents } from '../../contract/visit-events.ts';
import { startAnalytics } from '../watching/analytics/start-analytics.ts';
import { type ConsentQuestion, createConsent } from '../kit/consent/create-consent.ts';
import { startMonitoring } from '../watching/monitoring/start-monitoring.ts';
import { createReadDevice } from '../watching/create-read-device.ts';
import { whenUsable } from './when-usable.ts';
import type { HandOver } from './create-idle-hand-over.ts';
import type { ObservationSettings } from './create-landing-data.ts';

declare global {
  // Only an interface merges with the DOM's own.
  interface Navigator {
    /** https://w3c.github.io/gpc/ */
    readonly globalPrivacyControl?: boolean;
  }
}

/**
 * Starts the analytics and monitoring that are configured, once the visitor agrees. Returns the question to ask, if
 * any.
 */
export function startObservation(
  page: Window & typeof globalThis,
  { board, links }: HandOver,
  { tag, counts, monitoring, consentTexts: texts }: ObservationSettings,
  /** The code of the campaign whose link was followed. */
  code?: string,
): ConsentQuestion | undefined {
  const consent = createConsent({
    isRequired: texts !== undefined,
    hasPrivacySignal: page.navigator.globalPrivacyControl === true,
    store: createBrowserStore(() => page.localStorage),
  });
  // The visitor may refuse in another tab, or while this page is in the back/forward cache. Captured, so that this comes before
  // the listeners that record or send something.
  for (const name of ['storage', 'pageshow', 'visibilitychange']) {
    page.addEventListener(name, consent.lookAgain, true);
  }
  const readDevice = createReadDevice(page);
  const usable = whenUsable(page, { board, links });
  const events = startAnalytics(page, { tag, counts, board, consent, readDevice, usable });
  if (monitoring) startMonitoring(page, { ...monitoring, board, events, consent, readDevice, usable });
  // For scripts that the page loads only where the site wants them.
  const from = readFrom(page.location.search, code);
  page.waypostWatched = { ...counts, board, links, uses: events.uses, consent, readDevice, from };
  return texts && consent.isChoosable ? { consent, texts } : undefined;
}

const UTM = /^utm_(?:source|medium|campaign)$/;

/** What brought the visitor: the link of a campaign, and parameters of the address. Undefined if nothing is known. */
function readFrom(search: string, code: string | undefined): VisitEvents['from'] {
  const from: Record<string, string> = {};
  if (code) from['campaign'] = code;
  new URLSearchParams(search).forEach((value, key) => {
    if (value && UTM.test(key)) from[key] = value.slice(0, SOURCE_MAX_CHARS);
  });
  return Object.keys(from).length > 0 ? from : undefined;
}
