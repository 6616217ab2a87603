import type { Browser } from '@playwright/test';
import { type Intake, startIntake } from '../e2e/support/start-intake.ts';
import { startPortal } from '../e2e/support/start-portal.ts';
import { startLineHosts } from '../src/line/start-line-hosts.ts';
import type { Bench, Claim } from './claim.ts';
import { inFreshPage } from './in-fresh-page.ts';
import { openChromium } from './open-chromium.ts';
import { median } from './statistics.ts';

const RUNS = 21;
const MAX_RATIO = 1.05;
/** Below this a difference is the noise of the clock, not ours. */
const NOISE_MS = 5;
const MARKER = 'waypost-test';

const METRICS = {
  firstPaintMs: 'first contentful paint',
  largestPaintMs: 'largest contentful paint',
  loadMs: 'load event',
  measuredMs: 'all four lines measured',
  blockedMs: 'blocked by long tasks until then',
} as const;

type Metric = keyof typeof METRICS;
type Load = Readonly<Record<Metric, number>>;

/** The landing page of a recorded session, compared with one that nothing watches. */
export const replay: Bench = {
  title: `load of the landing page with a replay, beside one without monitoring, ${RUNS} runs each`,
  async run() {
    const names = ['line1', 'line2', 'line3', 'line4', 'backup1', 'backup2', 'backup3', 'backup4'];
    const hosts = Object.fromEntries(names.map((name) => [`${name}.localhost`, { delayMs: 40 }]));
    const lineHosts = await startLineHosts({ marker: MARKER, ports: [0], hosts });
    const addresses = names.map((name) => `http://${name}.localhost:${lineHosts.ports[0]}`);
    const lines = { marker: MARKER, hosts: addresses.slice(0, 4), fallback: addresses.slice(4) };
    const intake = await startIntake();
    const monitoring = { intakeUrl: intake.url, sessionPercent: 100, replayPercent: 100 };
    const plain = await startPortal({ site: { lines } });
    const replayed = await startPortal({ site: { lines, monitoring } });
    const browser = await openChromium();
    const without: Load[] = [];
    const withReplay: Load[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const tasks = [
        async () => without.push(await loadPage(browser, plain.url)),
        async () => withReplay.push(await loadPage(browser, replayed.url, intake)),
      ];
      for (const task of run % 2 === 0 ? tasks : tasks.toReversed()) await task();
    }
    await browser.close();
    await plain.close();
    await replayed.close();
    intake.close();
    await lineHosts.close();
    return (Object.keys(METRICS) as Metric[]).map((metric) => compare(metric, without, withReplay));
  },
};

function compare(metric: Metric, without: readonly Load[], withReplay: readonly Load[]): Claim {
  const [plainMs, replayedMs] = [without, withReplay].map((loads) =>
    median(loads.map((load) => load[metric])),
  ) as [number, number];
  const maxMs = Math.max(plainMs * MAX_RATIO, plainMs + NOISE_MS);
  return {
    what: METRICS[metric],
    measured: `${plainMs.toFixed(1)} ms without, ${replayedMs.toFixed(1)} ms with a replay`,
    bound: { text: `≤ ${maxMs.toFixed(1)} ms`, isMet: replayedMs <= maxMs },
  };
}

function loadPage(browser: Browser, url: string, intake?: Intake): Promise<Load> {
  return inFreshPage(browser, async (page) => {
    const recorded = intake ? page.waitForResponse(/start-recorder/) : undefined;
    await page.goto(url);
    await page.locator('[data-phase="ready"]').waitFor();
    const load = await page.evaluate(readLoad);
    await recorded;
    return load;
  });
}

/** Runs in the page. */
async function readLoad(): Promise<Load> {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- nothing outside of it is there in the page.
  const read = (type: string): Promise<PerformanceEntryList> =>
    new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
      // An observer is not called if there is no entry of its type.
      setTimeout(() => resolve([]), 200);
    });
  const paints = await read('paint');
  const largest = await read('largest-contentful-paint');
  const tasks = await read('longtask');
  const navigation = performance
    .getEntriesByType('navigation')
    .find((entry) => entry instanceof PerformanceNavigationTiming);
  const probes = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(({ name }) => name.endsWith('/speed.php'));
  const measuredMs = Math.max(...probes.map(({ responseEnd }) => responseEnd));
  return {
    firstPaintMs: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? Number.NaN,
    largestPaintMs: largest.at(-1)?.startTime ?? Number.NaN,
    loadMs: navigation?.loadEventEnd ?? Number.NaN,
    measuredMs,
    blockedMs: tasks
      .filter(({ startTime }) => startTime < measuredMs)
      .reduce((sum, { duration }) => sum + duration - 50, 0),
  };
}
