import type { Browser, Page } from '@playwright/test';
import { inFreshPage } from './in-fresh-page.ts';

/** What each step of `/r` costs alone, in ms. In the order of the calls, no page can do better than their sum. */
export type Steps = {
  readonly document: number;
  readonly caller: number;
  readonly hostnames: number;
  readonly probe: number;
};

/** Opens a redirect page for the first time, and tells how many ms later the browser asks that host for its page. */
export function measureVisit(browser: Browser, url: string, host: string): Promise<number> {
  return inFreshPage(browser, (page) => measureVisitIn(page, url, host));
}

/** The same in an open page. */
export async function measureVisitIn(page: Page, url: string, host: string): Promise<number> {
  // The browser's own clock, of both moments.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const visited = new Promise<number>((resolve) => {
    let startedAt: number | undefined;
    devtools.on('Network.requestWillBeSent', ({ type, request, timestamp }) => {
      if (type !== 'Document') return;
      startedAt ??= timestamp;
      if (new URL(request.url).hostname.endsWith(host)) resolve((timestamp - startedAt) * 1_000);
    });
  });
  await page.goto(url, { waitUntil: 'commit' });
  return visited;
}

/** Takes the steps of `/r` one by one, each awaited, in a page whose own script does not run. */
export function measureSteps(browser: Browser, portalUrl: string, lineAddress: string): Promise<Steps> {
  const takeAll = async (page: Page): Promise<Steps> => {
    await page.goto(`${portalUrl}/r`);
    return page.evaluate(takeSteps, `${lineAddress}/speed.php`);
  };
  return inFreshPage(browser, takeAll, { javaScriptEnabled: false });
}

/** Runs in the page. */
async function takeSteps(probeUrl: string): Promise<Steps> {
  const [navigation] = performance.getEntriesByType('navigation');
  let at = performance.now();
  const lap = (): number => {
    const before = at;
    at = performance.now();
    return at - before;
  };
  const { get_ip, key_id } = await (await fetch('/api/get_ip')).json();
  const caller = lap();
  await (await fetch('/api/hostnames', { headers: { RealUserAddr: get_ip, RealUserID: key_id } })).json();
  const hostnames = lap();
  await fetch(probeUrl, { cache: 'no-store', credentials: 'omit' });
  const probe = lap();
  // A document counts as loaded when it is parsed: until then the browser works, whatever the page does.
  return {
    document: navigation instanceof PerformanceNavigationTiming ? navigation.domInteractive : Number.NaN,
    caller,
    hostnames,
    probe,
  };
}
