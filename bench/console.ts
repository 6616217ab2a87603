import type { CDPSession, Page } from '@playwright/test';
import type { ConsoleMoments } from '../src/contract/moments.ts';
import { CONSOLE_PATHS } from '../src/contract/paths.ts';
import { addTime } from '../src/console/route.ts';
import type { Bench, Claim } from './claim.ts';
import { type LoadedConsole, startLoadedConsole } from './console/start-loaded-console.ts';
import { openChromium } from './open-chromium.ts';
import { median } from './statistics.ts';

declare global {
  interface Window {
    /** How long each task took that held the page up. */
    longTasks: number[];
    /** How long the script of each frame took. */
    frameScripts: number[];
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
/** Seven days of moments, one every five minutes, in 100 MB. */
const MAX_MOMENT_BYTES = 100_000_000 / 2_016;
/** How far somebody drags through the past. */
const SCRUBS = 20;
const MAX_STEP_MS = 8;
/** What the console asks for when it shows a time of the past. */
const PAST_DATA = /\/api\/console\/(?:lines|networks)\?at=/;
/** A phone that shows 120 frames a second has 8.3 ms for each. */
const MAX_FRAME_MS = 8;
const SCROLLED_FRAMES = 120;
const SCROLL_PX = 60;

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
      const requestFrame = window.requestAnimationFrame.bind(window);
      window.frameScripts = [];
      window.requestAnimationFrame = (run) =>
        requestFrame((time) => {
          const start = performance.now();
          run(time);
          window.frameScripts.push(performance.now() - start);
        });
    });
    const claims = [
      await claimPaint(page, server),
      ...(await claimUpdates(page, server, { view: 'overview', hash: '#/' })),
      ...(await claimUpdates(page, server, { view: 'where', hash: '#/where' })),
      await claimScroll(page, 'All in view'),
      await claimScroll(page, 'With numbers'),
      ...claimMoments(server),
      ...(await claimScrubbing(page, server, { view: 'overview', hash: '#/' })),
      ...(await claimScrubbing(page, server, { view: 'where', hash: '#/where' })),
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

/** Scrolls the map of the view that is open, a step a frame. */
async function claimScroll(page: Page, zoom: string): Promise<Claim> {
  await page.getByRole('button', { name: zoom }).click();
  const scripts = await page.locator('[data-map]').evaluate(
    async (map, { frames, stepPx }) => {
      map.scrollTo(0, 0);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      window.frameScripts.splice(0);
      for (let frame = 0; frame < frames; frame += 1) {
        map.scrollBy(stepPx, frame % 2 === 0 ? stepPx : 0);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return window.frameScripts;
    },
    { frames: SCROLLED_FRAMES, stepPx: SCROLL_PX },
  );
  // The callbacks of this bench are in the list too, and take no time.
  const drawn = scripts.filter((ms) => ms > 0.05).toSorted((a, b) => a - b);
  const typical = median(drawn);
  const slow = drawn[Math.floor(drawn.length * 0.95)] ?? 0;
  return {
    what: `where: script of a frame while the map is scrolled, ${zoom.toLowerCase()}, 95th percentile of ${drawn.length}`,
    measured: `${slow.toFixed(1)} ms, median ${typical.toFixed(1)} ms`,
    bound: { text: `≤ ${MAX_FRAME_MS} ms`, isMet: drawn.length > 0 && slow <= MAX_FRAME_MS },
  };
}

function claimMoments({ momentBytes, longSteps }: LoadedConsole): readonly Claim[] {
  return [
    {
      what: 'a moment of the past in the database, on average',
      measured: `${(momentBytes / 1e3).toFixed(1)} KB`,
      bound: { text: `≤ ${(MAX_MOMENT_BYTES / 1e3).toFixed(1)} KB`, isMet: momentBytes <= MAX_MOMENT_BYTES },
    },
    {
      what: 'steps of more than 20 ms on the main thread while moments are kept',
      measured: String(longSteps),
      bound: { text: '0', isMet: longSteps === 0 },
    },
  ];
}

/** Goes back by five minutes again and again, and measures all script of each step, which takes several frames. */
async function claimScrubbing(
  page: Page,
  server: LoadedConsole,
  { view, hash }: { readonly view: string; readonly hash: string },
): Promise<readonly Claim[]> {
  const answer = await fetch(new URL(CONSOLE_PATHS.moments, server.url));
  const { kept } = (await answer.json()) as ConsoleMoments;
  // Nothing is kept of the time that has passed with the updates.
  const [, last] = kept.at(-1) ?? [];
  await page.goto('about:blank');
  const loadedLast = page.waitForResponse(PAST_DATA);
  await page.goto(`${server.url}/${addTime(hash, last)}`);
  await (await loadedLast).finished();
  const handle = page.getByRole('slider');
  await handle.waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const times: number[] = [];
  for (let count = 0; count < SCRUBS; count += 1) {
    const before = await readScriptMs(session);
    const loaded = page.waitForResponse(PAST_DATA);
    await handle.press('ArrowLeft');
    await (await loaded).finished();
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))),
        ),
    );
    times.push((await readScriptMs(session)) - before);
  }
  await session.detach();
  const stepMs = median(times);
  return [
    {
      what: `${view}: script of one step through the past, median of ${SCRUBS}`,
      measured: `${stepMs.toFixed(1)} ms`,
      bound: { text: `≤ ${MAX_STEP_MS} ms`, isMet: stepMs <= MAX_STEP_MS },
    },
  ];
}

async function readScriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000;
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
