import type { Page } from '@playwright/test';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { type Lane, inLanes } from './support/in-lanes.ts';
import { BACKUPS, LINES, expect, test } from './support/test.ts';

const CLICKS = isSoak() ? 10_000 : 40;
/** A click is mostly waited for, so many visitors click at the same time. */
const SEEDS = Array.from({ length: isSoak() ? 10 : 4 }, (_, index) => index + 1);
const HOSTS = [...LINES, ...BACKUPS];
const CAMPAIGNS = { spring: { name: 'Spring cup', path: '/item/2', query: { utm_source: 'channel' } } };
const WELL: readonly LineBehaviour[] = [{}, {}, { delayMs: 20 }, { delayMs: 60 }];
/** What a line that dies, or that somebody else has taken over, does with a probe. */
const DEAD: readonly LineBehaviour[] = [
  { fault: 'refuse' },
  { fault: 'refuse' },
  { fault: 'hang' },
  { fault: 'reset-head' },
  { fault: 'bad-gateway' },
  { fault: 'wrong-marker' },
  { fault: 'no-marker' },
  { fault: 'parking-page' },
  { fault: 'marker-without-cors' },
  { fault: 'redirect-elsewhere' },
];

test(
  `of ${CLICKS} clicks on a link while half of the lines die none ends at a line that did not prove itself`,
  IN_CHROMIUM,
  async ({ browser, portalHost }) => {
    test.setTimeout(3_600_000);
    const ends = new Map<string, number>();
    const changes = { site: { campaigns: CAMPAIGNS } };
    await inLanes({ browser, portalHost, changes, seeds: SEEDS }, async (lane) => {
      // A browser keeps its measurements for ten seconds, so each click is that of a new visitor.
      await lane.context.addInitScript(() => sessionStorage.clear());
      const page = await lane.context.newPage();
      for (let click = 0; click < CLICKS / SEEDS.length; click += 1) {
        const end = await followLink(page, lane);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    });
    test.info().annotations.push({ type: 'clicks', description: JSON.stringify(Object.fromEntries(ends)) });
    expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(CLICKS);
    for (const host of LINES) expect(ends.has(host), host).toBe(true);
  },
);

/** Kills half of the lines, follows the link, and returns the host where it ended. */
async function followLink(page: Page, { lines, door, draw, happens }: Lane): Promise<string> {
  const behaviours = new Map(HOSTS.map((host) => [host, draw(happens(0.5) ? DEAD : WELL)]));
  for (const [host, behaviour] of behaviours) lines.set(host, behaviour);
  const story = JSON.stringify(Object.fromEntries(behaviours));
  const isAnyWell = [...behaviours.values()].some((behaviour) => WELL.includes(behaviour));
  await page.goto(`${door.url}/c/spring`, { waitUntil: 'commit' });
  if (!isAnyWell) {
    await expect(page.locator('html'), story).toHaveClass('none');
    return 'none';
  }
  await page.waitForURL(({ hostname }) => hostname !== 'localhost', { waitUntil: 'commit' });
  const { hostname, pathname, search } = new URL(page.url());
  const host = hostname.replace(/^www\d+\./, '');
  expect(WELL, `${host} has not proven itself: ${story}`).toContain(behaviours.get(host));
  expect(pathname + search).toBe('/item/2?utm_source=channel');
  return host;
}
