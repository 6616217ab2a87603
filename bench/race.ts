import type { Browser } from '@playwright/test';
import { startHarness } from '../e2e/support/start-harness.ts';
import { startLineHosts } from '../src/line/start-line-hosts.ts';
import type { Bench } from './claim.ts';
import { inFreshPage } from './in-fresh-page.ts';
import { openChromium } from './open-chromium.ts';
import { median } from './statistics.ts';

const RUNS = 50;
const MAX_RATIO = 1.1;
const FASTEST = 'line1.localhost';

/** From opening a page until the winner of four lines is known, compared with a bare fetch of the fastest line. */
export const race: Bench = {
  title: `winner of four lines (40, 90, 160 ms, one hanging) beside a bare fetch of the fastest, ${RUNS} runs each`,
  async run() {
    const lines = await startLineHosts({
      marker: 'waypost-test',
      ports: [0],
      hosts: {
        [FASTEST]: { delayMs: 40 },
        'line2.localhost': { delayMs: 90 },
        'line3.localhost': { delayMs: 160 },
        'line4.localhost': { fault: 'hang' },
      },
    });
    const harness = await startHarness();
    const browser = await openChromium();
    const addressOf = (host: string) => `http://${host}:${lines.ports[0]}`;
    const raceUrl = `${harness.url}#race=${[2, 4, 3].map((n) => addressOf(`line${n}.localhost`)).join(',')},${addressOf(FASTEST)}`;
    const fetchUrl = `${harness.url}#fetch=${addressOf(FASTEST)}`;
    const raced: number[] = [];
    const fetched: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const tasks = [
        async () => raced.push(await openPage(browser, raceUrl)),
        async () => fetched.push(await openPage(browser, fetchUrl)),
      ];
      for (const task of run % 2 === 0 ? tasks : tasks.toReversed()) await task();
    }
    await browser.close();
    harness.close();
    await lines.close();
    const ratio = median(raced) / median(fetched);
    return [
      { what: 'winner known after', measured: `${median(raced).toFixed(1)} ms` },
      { what: 'bare fetch answered after', measured: `${median(fetched).toFixed(1)} ms` },
      {
        what: 'ratio of the medians',
        measured: ratio.toFixed(3),
        bound: { text: `≤ ${MAX_RATIO}`, isMet: ratio <= MAX_RATIO },
      },
    ];
  },
};

function openPage(browser: Browser, url: string): Promise<number> {
  return inFreshPage(browser, async (page) => {
    await page.goto(url);
    return page.evaluate(() => harness.knownAfterMs);
  });
}
