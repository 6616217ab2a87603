import type { Page } from '@playwright/test';
import type { Bench, Claim } from './claim.ts';
import { type LoadedConsole, startLoadedConsole } from './console/start-loaded-console.ts';
import { openChromium } from './open-chromium.ts';
import { median } from './statistics.ts';

declare global {
  interface Window {
    /** How long each task took that held the page up. */
    longTasks: number[];
  }
}

/** As in `loaded-console.mjs`. */
const LINES = 200;
/** Ten minutes of them: one every ten seconds. */
const UPDATES = 60;
const LOADS = 5;
const MAX_PAINT_MS = 1_500;
const MAX_TASK_MS = 150;
const MAX_GROWTH_BYTES = 8_000_000;

/** The operator's console of a large site, in a real browser. */
export const consoleBench: Bench = {
  title: "the operator's console with 200 lines, 50 networks and 24 h of history",
  async run() {
    const server = await startLoadedConsole();
    const browser = await openChromium();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(() => {
      window.longTasks = [];
      new PerformanceObserver((list) => {
        window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: 'longtask', buffered: true });
    });
    const claims = [
      await claimPaint(page, server),
      ...(await claimUpdates(page, server, { view: 'overview', hash: '#/' })),
      ...(await claimUpdates(page, server, { view: 'where', hash: '#/where' })),
    ];
    await browser.close();
    await server.close();
    return claims;
  },
};

async function claimPaint(page: Page, { url }: LoadedConsole): Promise<Claim> {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    await page.goto('about:blank');
    await page.goto(url);
    await page
      .locator('tbody tr')
      .nth(LINES - 1)
      .waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  const paintMs = median(times);
  return {
    what: `every line is shown, from the start of the navigation, median of ${LOADS}`,
    measured: `${paintMs.toFixed(0)} ms`,
    bound: { text: `≤ ${MAX_PAINT_MS} ms`, isMet: paintMs <= MAX_PAINT_MS },
  };
}

async function claimUpdates(
  page: Page,
  server: LoadedConsole,
  { view, hash }: { readonly view: string; readonly hash: string },
): Promise<readonly Claim[]> {
  await page.goto(`${server.url}/${hash}`);
  await page
    .locator(view === 'where' ? 'canvas' : 'tbody tr')
    .first()
    .waitFor();
  await update(page, server);
  const before = await readHeap(page);
  await page.evaluate(() => window.longTasks.splice(0));
  for (let count = 0; count < UPDATES; count += 1) await update(page, server);
  const tasks = await page.evaluate(() => window.longTasks);
  const longest = Math.max(0, ...tasks);
  const grownBytes = (await readHeap(page)) - before;
  return [
    {
      what: `${view}: longest task in ${UPDATES} updates`,
      measured: longest === 0 ? 'none over 50 ms' : `${longest.toFixed(0)} ms, ${tasks.length} over 50 ms`,
      bound: { text: `≤ ${MAX_TASK_MS} ms`, isMet: longest <= MAX_TASK_MS },
    },
    {
      what: `${view}: memory after ${UPDATES} updates`,
      measured: `${(grownBytes / 1e6).toFixed(1)} MB more than after one`,
      bound: { text: `≤ ${MAX_GROWTH_BYTES / 1e6} MB`, isMet: grownBytes <= MAX_GROWTH_BYTES },
    },
  ];
}

/** One change on the server, until the page has the data of it and has drawn a frame. */
async function update(page: Page, server: LoadedConsole): Promise<void> {
  const loaded = page.waitForResponse(/\/api\/console\/(?:lines|networks)$/);
  server.update();
  await (await loaded).finished();
  await page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}

async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
