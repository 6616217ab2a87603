import { type BrowserEffects, createBrowserEffects, createBrowserStore } from '../engine/browser-effects.ts';
import { type Prober, createProber } from '../engine/create-prober.ts';
import { createResultCache } from '../engine/result-cache.ts';
import type { PageData } from './page-data.ts';

/** Gives the engine the effects of this page and the lines' settings that came with it. */
export function openEngine(
  page: Window & typeof globalThis,
  { lines }: Pick<PageData, 'lines'>,
): { readonly effects: BrowserEffects; readonly prober: Prober } {
  const effects = createBrowserEffects(page);
  const store = createBrowserStore(() => page.sessionStorage);
  const prober = createProber({
    ...effects,
    ...lines,
    cache: createResultCache({ now: effects.now, store }),
    onRefused: (host, reason) => page.console.warn(`Line ${JSON.stringify(host)} dropped: it ${reason}.`),
  });
  return { effects, prober };
}
