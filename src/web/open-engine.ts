import { type BrowserEffects, createBrowserEffects, createBrowserStore } from '../engine/browser-effects.ts';
import { type Prober, createProber } from '../engine/create-prober.ts';
import { type Report, createReport } from '../engine/create-report.ts';
import { createResultCache } from '../engine/result-cache.ts';
import type { PageData } from './page-data.ts';

export type Engine = {
  readonly effects: BrowserEffects;
  readonly prober: Prober;
  readonly report: Report;
  /** Says in the console which host was dropped, and why. */
  readonly onRefused: (host: string, reason: string) => void;
};

/** Gives the engine the effects of this page and the lines' settings that came with it. */
export function openEngine(page: Window & typeof globalThis, { lines }: Pick<PageData, 'lines'>): Engine {
  const effects = createBrowserEffects(page);
  const store = createBrowserStore(() => page.sessionStorage);
  const onRefused: Engine['onRefused'] = (host, reason) => page.console.warn(host, reason);
  const { document, navigator } = page;
  const report = createReport({ ...lines, sendBeacon: (path, body) => navigator.sendBeacon?.(path, body) });
  // The last moment of which a page can be sure.
  document.addEventListener('visibilitychange', () => document.hidden && report.send());
  const prober = createProber({
    ...effects,
    ...lines,
    cache: createResultCache({ now: effects.now, store }),
    onRefused,
    onProbe: report.note,
  });
  return { effects, prober, report, onRefused };
}
