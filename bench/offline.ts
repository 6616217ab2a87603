import type { Browser, BrowserContext } from '@playwright/test';
import type { Bench, Claim } from './claim.ts';
import { openChromium } from './open-chromium.ts';
import { openDistantWorld } from './open-distant-world.ts';
import { measureVisitIn } from './measure-visit.ts';
import { median, quantile } from './statistics.ts';

const RUNS = 30;
const MAX_COST_MS = 5;
const PORTAL_MS = 60;
const LINE = 'line1.localhost';
const CACHE = 'waypost.offline';

type Visits = { readonly first: number[]; readonly next: number[] };

/** What the service worker costs a visitor of `/r` while all is well. */
export const offline: Bench = {
  title: `/r with and without a service worker (round trips: portal ${PORTAL_MS} ms, line 40 ms), in turn, medians of ${RUNS} visits`,
  async run() {
    const world = await openDistantWorld({
      portalRoundTripMs: PORTAL_MS,
      lines: [{ host: LINE, roundTripMs: 40 }],
    });
    const browser = await openChromium();
    const url = `${world.portalUrls[0] ?? ''}/r`;
    const withWorker: Visits = { first: [], next: [] };
    const without: Visits = { first: [], next: [] };
    for (let run = 0; run < RUNS; run += 1) {
      const tasks = [
        () => visitTwice(browser, url, 'allow', withWorker),
        () => visitTwice(browser, url, 'block', without),
      ];
      for (const task of run % 2 === 0 ? tasks : tasks.toReversed()) await task();
    }
    await browser.close();
    await world.close();
    const next = describeCost('a visit with the worker installed and stopped', withWorker.next, without.next);
    const isMet = median(withWorker.next) - median(without.next) <= MAX_COST_MS;
    return [
      describeCost('the first visit, which registers the worker', withWorker.first, without.first),
      { ...next, bound: { text: `≤ +${MAX_COST_MS} ms`, isMet } },
    ];
  },
};

/** Visits `/r` in a new browser profile, waits until the worker is there, stops it, and visits again. */
async function visitTwice(
  browser: Browser,
  url: string,
  serviceWorkers: 'allow' | 'block',
  visits: Visits,
): Promise<void> {
  const context = await browser.newContext({ serviceWorkers });
  visits.first.push(await measureVisitIn(await context.newPage(), url, LINE));
  await stopWorker(context, url, serviceWorkers === 'allow');
  visits.next.push(await measureVisitIn(await context.newPage(), url, LINE));
  await context.close();
}

async function stopWorker(context: BrowserContext, url: string, isThere: boolean): Promise<void> {
  const page = await context.newPage();
  // A page of the portal that registers nothing.
  await page.goto(new URL('/nowhere', url).href);
  if (isThere) {
    await page.waitForFunction(
      async (name) => (await (await caches.open(name)).match('/offline/r')) !== undefined,
      CACHE,
    );
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  }
  const devtools = await context.newCDPSession(page);
  const stopped = new Promise<void>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some((version) => version.runningStatus === 'stopped')) resolve();
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  if (isThere) await stopped;
  await page.close();
}

function describeCost(what: string, withWorker: readonly number[], without: readonly number[]): Claim {
  const costMs = median(withWorker) - median(without);
  return {
    what: `${what}: asks for the destination after`,
    measured: `${describeVisits(withWorker)}, without a worker ${describeVisits(without)}: ${costMs >= 0 ? '+' : ''}${costMs.toFixed(1)} ms`,
  };
}

function describeVisits(visits: readonly number[]): string {
  return `${median(visits).toFixed(1)} ms (95th percentile ${quantile(visits, 0.95).toFixed(1)} ms)`;
}
