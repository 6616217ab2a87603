import type { Page } from '@playwright/test';
import { startHarness } from '../e2e/support/start-harness.ts';
import { startLineHosts } from '../src/line/start-line-hosts.ts';
import type { Bench, Claim } from './claim.ts';
import { openChromium } from './open-chromium.ts';
import { median, quantile } from './statistics.ts';

const RUNS = 15;
const DELAYS_MS = [20, 80, 200, 1_000];
const BLOCK_MS = 50;
const BLOCK_EVERY_MS = 100;

/** The time that a busy page shows, compared with the browser's own timing of the same line on an idle page. */
export const accuracy: Bench = {
  title: `time shown by a page that is blocked ${BLOCK_MS} of every ${BLOCK_EVERY_MS} ms, beside Resource Timing on an idle one, ${RUNS} runs each`,
  async run() {
    const hosts = Object.fromEntries(DELAYS_MS.map((delayMs) => [`line${delayMs}.localhost`, { delayMs }]));
    const lines = await startLineHosts({ marker: 'waypost-test', ports: [0], hosts });
    const harness = await startHarness();
    const browser = await openChromium();
    const idlePage = await browser.newPage();
    const busyPage = await browser.newPage();
    for (const page of [idlePage, busyPage]) await page.goto(harness.url);
    await keepBusy(busyPage);
    const claims: Claim[] = [];
    for (const delayMs of DELAYS_MS) {
      const address = `http://line${delayMs}.localhost:${lines.ports[0]}`;
      const idle: number[] = [];
      const busy: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        idle.push(await readResourceTiming(idlePage, address));
        busy.push(await readShownTime(busyPage, address));
      }
      claims.push(compare(delayMs, idle, busy));
    }
    await browser.close();
    harness.close();
    await lines.close();
    return claims;
  },
};

function compare(delayMs: number, idle: readonly number[], busy: readonly number[]): Claim {
  const truthMs = median(idle);
  const errorMs = Math.abs(median(busy) - truthMs);
  const worstMs = quantile(
    busy.map((shown) => Math.abs(shown - truthMs)),
    0.95,
  );
  const maxErrorMs = Math.max(3, truthMs * 0.05);
  return {
    what: `line of ${delayMs} ms`,
    measured: `idle ${truthMs.toFixed(1)} ms, shown ${median(busy)} ms, error ${errorMs.toFixed(1)} ms (95th percentile ${worstMs.toFixed(1)} ms)`,
    bound: { text: `error ≤ ${maxErrorMs.toFixed(1)} ms`, isMet: errorMs <= maxErrorMs },
  };
}

function keepBusy(page: Page): Promise<unknown> {
  return page.evaluate(
    ([blockMs, everyMs]) => {
      const block = () => {
        const until = performance.now() + blockMs;
        while (performance.now() < until);
      };
      setInterval(block, everyMs);
    },
    [BLOCK_MS, BLOCK_EVERY_MS] as const,
  );
}

async function readShownTime(page: Page, address: string): Promise<number> {
  const result = await page.evaluate((probed) => harness.probe(probed), address);
  return result?.time ?? Number.NaN;
}

/** A plain fetch, its body read to the end, as the browser itself timed it. */
function readResourceTiming(page: Page, address: string): Promise<number> {
  return page.evaluate(async (fetched) => {
    const url = `${fetched}/speed.php`;
    performance.clearResourceTimings();
    const timed = new Promise<PerformanceResourceTiming>((resolve) => {
      const observer = new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName(url);
        if (!entry) return;
        observer.disconnect();
        // Only entries of this type are observed.
        resolve(entry as PerformanceResourceTiming);
      });
      observer.observe({ type: 'resource' });
    });
    const response = await fetch(url, { cache: 'no-store' });
    await response.text();
    const { responseStart, startTime } = await timed;
    return responseStart - startTime;
  }, address);
}
