import {
  type BrowserEffects,
  createBrowserEffects,
  createBrowserStore,
  createBrowserVisibility,
} from '../../../engine/effects/browser-effects.ts';
import { START_ANSWERS_ID } from '../../../contract/page/start-answers.ts';
import { answerFromDocument } from '../../../engine/portal/answer-from-document.ts';
import type { createAskAnybody } from '../../../engine/probe/create-ask-anybody.ts';
import { type Prober, createProber } from '../../../engine/probe/create-prober.ts';
import { type Report, createReport } from '../../../engine/portal/create-report.ts';
import type { Visibility } from '../../../engine/effects/effects.ts';
import { createResultCache } from '../../../engine/probe/create-result-cache.ts';
import type { PageData } from '../document/page-data.ts';

export type Engine = {
  readonly effects: BrowserEffects & { readonly visibility: Visibility };
  readonly prober: Prober;
  readonly report: Report;
  /** Writes to the browser's console which host entry was dropped, and why. */
  readonly onRefused: (entry: unknown, reason: string) => void;
};

/**
 * Creates the engine with the effects of this page and the line settings in it. Pass `createAskAnybody` on pages where a
 * visitor may enter a line that failed. `/r` passes nothing, so its script does not contain it.
 */
export function openEngine(
  page: Window & typeof globalThis,
  { lines }: Pick<PageData, 'lines'>,
  createQuestion?: typeof createAskAnybody,
): Engine {
  const visibility = createBrowserVisibility(page.document);
  const browserEffects = createBrowserEffects(page);
  const start = page.document.getElementById(START_ANSWERS_ID)?.textContent;
  const effects = { ...browserEffects, visibility, fetch: answerFromDocument(start, browserEffects) };
  const store = createBrowserStore(() => page.sessionStorage);
  const onRefused: Engine['onRefused'] = (entry, reason) => page.console.warn(entry, reason);
  const report = createReport({
    now: effects.now,
    sendBeacon: (path, body) => page.navigator.sendBeacon?.(path, body),
  });
  // Browsers promise no later event before a page is gone.
  visibility.subscribe(() => visibility.isHidden() && report.send());
  const prober = createProber({
    ...effects,
    ...lines,
    cache: createResultCache({ now: effects.now, store }),
    onRefused,
    onProbe: report.note,
    askAnybody: createQuestion?.(effects, page.document),
  });
  return { effects, prober, report, onRefused };
}
