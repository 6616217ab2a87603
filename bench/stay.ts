import type { Browser, Page } from '@playwright/test';
import { startPortal } from '../e2e/support/start-portal.ts';
import { type LineHosts, startLineHosts } from '../src/line/start-line-hosts.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { startRelay } from '../src/server/testing/start-relay.ts';
import type { Bench, Claim } from './claim.ts';
import { openChromium } from './open-chromium.ts';
import { median, quantile } from './statistics.ts';

const MARKER = 'waypost-test';
const NAMES = [1, 2, 3, 4, 5].map((number) => `line${number}.localhost`);
const BACKUPS = [1, 2, 3, 4].map((number) => `backup${number}.localhost`);
const [OWN = ''] = NAMES;
const REFUSED_RUNS = 40;
const SWALLOWED_RUNS = 20;
const PAIRS = 200;
/** Visitors are not on loopback: round trips to the line in ms, and the pairs of each. */
const DISTANCES_MS = [50, 150, 350];
const DISTANT_PAIRS = 40;
const MAX_RATIO = 1.02;
const DAY_MS = 86_400_000;

/** How long a visitor waits whose line is lost, and what the files cost while all is well. */
export const stay: Bench = {
  title: 'a visitor inside a line, on loopback, so round trips take no time; then through relays',
  async run() {
    const hosts = Object.fromEntries([...NAMES, ...BACKUPS].map((host) => [host, {}]));
    const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
    const withPort = (host: string): string => `http://${host}:${lines.ports[0]}`;
    const portal = await startPortal({
      site: {
        lines: { marker: MARKER, hosts: NAMES.map(withPort), fallback: BACKUPS.map(withPort) },
        limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 },
      },
    });
    lines.setPortal(portal.url);
    const address = `http://www${Math.floor(Date.now() / DAY_MS)}.${OWN}:${lines.ports[0]}`;
    const browser = await openChromium();
    const settings = { browser, lines, address };
    const refused = await measureLosses(settings, { fault: 'refuse' }, REFUSED_RUNS);
    const swallowed = await measureLosses(settings, { fault: 'hang' }, SWALLOWED_RUNS);
    const cost = await measureCost(settings);
    const distant: Claim[] = [];
    for (const roundTripMs of DISTANCES_MS) {
      const relay = await startRelay(lines.ports[0] ?? 0, roundTripMs);
      const far = address.replace(/\d+$/, String(relay.port));
      distant.push(
        describeCost(await measurePairs({ ...settings, address: far }, DISTANT_PAIRS), roundTripMs),
      );
      relay.close();
    }
    await browser.close();
    await portal.close();
    await lines.close();
    return [
      describeLosses('refused', refused, { medianMs: 600, slowMs: 1_000 }),
      describeLosses('swallowed', swallowed, { medianMs: 7_000, slowMs: 8_000 }),
      ...cost,
      ...distant,
    ];
  },
};

type Settings = { readonly browser: Browser; readonly lines: LineHosts; readonly address: string };

/** From the start of a navigation inside the lost line to the first bytes of the sibling's page, in ms. */
async function measureLosses(
  { browser, lines, address }: Settings,
  behaviour: LineBehaviour,
  runs: number,
): Promise<readonly number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const times: number[] = [];
  lines.set(OWN, {});
  await enter(page, address);
  for (let run = 0; run < runs; run += 1) {
    lines.set(OWN, {});
    await page.goto(`${address}/form`);
    lines.set(OWN, behaviour);
    const startedAt = performance.now();
    await page.goto(`${address}/item/1`, { waitUntil: 'commit' });
    times.push(performance.now() - startedAt);
    if (page.url().startsWith(address)) throw new Error('the visitor was not moved');
  }
  lines.set(OWN, {});
  await context.close();
  return times;
}

/** Opens a line's page, and waits until its worker is in charge and has siblings. */
async function enter(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(async () => {
    const kept = await (await caches.open('waypost.stay')).match('/waypost/siblings');
    return navigator.serviceWorker.controller !== null && (await kept?.text())?.includes('"hosts"');
  });
}

/** First bytes in ms. */
type Pairs = {
  readonly kept: readonly number[];
  readonly plain: readonly number[];
  /** Those for the files and to the portal, with those that the browser answers from its cache. */
  readonly requests: readonly string[];
  /** Of all pages with all that they load, by the browser's own count. */
  readonly bytes: { readonly kept: number; readonly plain: number };
};

async function measureCost(settings: Settings): Promise<readonly Claim[]> {
  const pairs = await measurePairs(settings, PAIRS);
  const { requests, bytes } = pairs;
  return [
    describeCost(pairs),
    {
      what: `requests for the files and to the portal during these ${PAIRS} pages, most from the cache, and bytes of all pages`,
      measured: `${requests.length} requests, ${bytes.kept} bytes, without ${bytes.plain} bytes`,
    },
  ];
}

/** The bound is for loopback, where nothing hides what a worker costs. */
function describeCost({ kept, plain }: Pairs, roundTripMs = 0): Claim {
  const ratio = median(kept) / median(plain);
  const at = roundTripMs === 0 ? '' : ` at a round trip of ${roundTripMs} ms`;
  const claim = {
    what: `first byte of a page with the files${at}, medians of ${kept.length} pairs`,
    measured: `${median(kept).toFixed(2)} ms, without ${median(plain).toFixed(2)} ms: ${ratio.toFixed(3)}`,
  };
  const bound = { text: `≤ ${MAX_RATIO}`, isMet: ratio <= MAX_RATIO };
  return roundTripMs === 0 ? { ...claim, bound } : claim;
}

/** The first byte of a page of the line with and without the files, in turn. */
async function measurePairs({ browser, address }: Settings, count: number): Promise<Pairs> {
  const pages = await Promise.all(
    (['allow', 'block'] as const).map(async (serviceWorkers) =>
      (await browser.newContext({ serviceWorkers })).newPage(),
    ),
  );
  const [kept, plain] = pages;
  if (!kept || !plain) throw new Error('two pages were opened');
  await enter(kept, address);
  const requests: string[] = [];
  kept.context().on('requestfinished', (request) => {
    if (/\/waypost\/|\/api\//.test(request.url())) requests.push(request.url());
  });
  const times = { kept: [] as number[], plain: [] as number[] };
  const bytes = { kept: 0, plain: 0 };
  const measure = async (page: Page, name: 'kept' | 'plain'): Promise<void> => {
    const loaded = await readLoad(page, address);
    times[name].push(loaded.firstByteMs);
    bytes[name] += loaded.bytes;
  };
  for (let pair = 0; pair < count; pair += 1) {
    const tasks = [() => measure(kept, 'kept'), () => measure(plain, 'plain')];
    for (const task of pair % 2 === 0 ? tasks : tasks.toReversed()) await task();
  }
  await Promise.all(pages.map((page) => page.context().close()));
  return { ...times, requests, bytes };
}

async function readLoad(page: Page, address: string): Promise<{ firstByteMs: number; bytes: number }> {
  await page.goto(`${address}/form`);
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return {
      firstByteMs: entry ? entry.responseStart - entry.startTime : Number.NaN,
      bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, entry?.transferSize ?? 0),
    };
  });
}

function describeLosses(
  what: string,
  times: readonly number[],
  { medianMs, slowMs }: { readonly medianMs: number; readonly slowMs: number },
): Claim {
  const [middle, slow] = [median(times), quantile(times, 0.95)];
  return {
    what: `${what}: from the failed navigation to the sibling's page, ${times.length} runs`,
    measured: `${Math.round(middle)} ms, 95th percentile ${Math.round(slow)} ms`,
    bound: {
      text: `≤ ${medianMs} ms, 95th percentile ≤ ${slowMs} ms`,
      isMet: middle <= medianMs && slow <= slowMs,
    },
  };
}
