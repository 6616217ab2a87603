import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import { BROWSERS } from './browsers.ts';
import type { Portal } from './create-portal-host.ts';
import type { SiteChanges } from './make-site-folder.ts';
import { SHOTS, type Shot, SITES, SHOT_HOSTS } from './shots.ts';
import { startPortal } from './start-portal.ts';

const MARKER = 'waypost-shots';
/** As high as the window of such a screen, without the browser's own bars. */
const HEIGHTS: Readonly<Record<number, number>> = { 320: 568, 390: 664, 768: 1024, 1366: 768, 1440: 900 };

/** Takes pictures of the pages in every state, for people to look at. */
export async function takeShots({
  out,
  only,
}: {
  readonly out: string;
  readonly only: readonly string[];
}): Promise<void> {
  const wanted = SHOTS.filter(({ name }) => only.length === 0 || only.includes(name));
  const hosts = Object.fromEntries(SHOT_HOSTS.map((host) => [host, {}]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
  const portals = new Map<string, Portal>();
  for (const largeFont of [false, true]) {
    const shots = wanted.filter((shot) => (shot.hasLargeFont ?? false) === largeFont);
    if (shots.length === 0) continue;
    const browser = await launch(largeFont);
    for (const shot of shots) {
      const { site = 'demo' } = shot;
      const portal = portals.get(site) ?? (await openPortal(lines, site));
      portals.set(site, portal);
      await takeShot({ browser, lines, portal, out }, shot);
    }
    await browser.close();
  }
  for (const portal of portals.values()) await portal.close();
  await lines.close();
}

/** The visitor's own setting of the font size is a switch of the browser. */
function launch(hasLargeFont: boolean): Promise<Browser> {
  const { args, ...options } = BROWSERS.chromium.launchOptions;
  const more = hasLargeFont ? ['--blink-settings=defaultFontSize=32'] : [];
  return chromium.launch({ ...options, args: [...args, ...more] });
}

async function openPortal(lines: LineHosts, name: keyof typeof SITES): Promise<Portal> {
  const withPort = (host: string): string => `http://${host}:${lines.ports[0]}`;
  const changes: SiteChanges = SITES[name];
  return startPortal({
    ...changes,
    site: {
      lines: {
        marker: MARKER,
        hosts: SHOT_HOSTS.slice(0, 4).map(withPort),
        fallback: SHOT_HOSTS.slice(4).map(withPort),
        steering: 'uniform',
      },
      limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 },
      // Most pictures are of a visitor whose country nobody names.
      network: { countryHeader: 'CF-IPCountry', trustedProxies: ['127.0.0.0/8'], unknownRegion: 'open' },
      compliance: { restrictedRegions: ['AQ'] },
      ...changes.site,
    },
    targets: { localhost: { one: withPort('line1.localhost'), two: withPort('line2.localhost') } },
  });
}

type Studio = {
  readonly browser: Browser;
  readonly lines: LineHosts;
  readonly portal: Portal;
  readonly out: string;
};

async function takeShot({ browser, lines, portal, out }: Studio, shot: Shot): Promise<void> {
  const {
    name,
    widths,
    locales = ['zh-CN', 'en'],
    options,
    prepare,
    settle,
    path = '/',
    isWhole = true,
  } = shot;
  for (const width of widths) {
    for (const locale of locales) {
      lines.reset();
      for (const [index, host] of SHOT_HOSTS.entries()) lines.set(host, { delayMs: 24 + index * 61 });
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        ...options,
        viewport: { width, height: HEIGHTS[width] ?? 900 },
        deviceScaleFactor: width < 768 ? 2 : 1,
      });
      const page = await context.newPage();
      await prepare?.(page, lines);
      await page.goto(`${portal.url}${path}?lang=${locale}`, { waitUntil: path === '/' ? 'load' : 'commit' });
      await settle?.(page);
      await page.screenshot({ path: join(out, `${name}-${width}-${locale}.png`), fullPage: isWhole });
      await context.close();
    }
  }
}
