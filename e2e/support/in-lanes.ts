import type { Browser, BrowserContext } from '@playwright/test';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import type { PortalHost } from './create-portal-host.ts';
import type { SiteChanges } from './make-site-folder.ts';
import { type Door, startDoor } from './start-door.ts';
import { BACKUPS, LINES, MARKER, forgetVisits, nameLines } from './test.ts';

/** A world of its own: what is broken in it is broken for nobody else. */
export type Lane = {
  readonly context: BrowserContext;
  readonly lines: LineHosts;
  /** Stands before the lane's portal. */
  readonly door: Door;
  /** Puts the portal behind the door. */
  readonly openDoor: () => Promise<void>;
  /** Draws one of these, from the seed of the lane. */
  readonly draw: <T>(items: readonly T[]) => T;
  /** Draws whether something happens, with this probability, from the seed of the lane. */
  readonly happens: (probability: number) => boolean;
};

type LanesOptions = {
  readonly browser: Browser;
  readonly portalHost: PortalHost;
  readonly changes?: SiteChanges;
  /** One lane for each seed. All of them run at the same time. */
  readonly seeds: readonly number[];
};

/** Does the same in several worlds at once, because a fault is mostly waited for. */
export async function inLanes(
  { browser, portalHost, changes = {}, seeds }: LanesOptions,
  run: (lane: Lane) => Promise<void>,
): Promise<void> {
  const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
  async function runLane(seed: number): Promise<void> {
    const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
    const portal = await portalHost.start(forgetVisits(nameLines(lines, changes)));
    const door = await startDoor({ portalUrl: portal.url });
    const context = await browser.newContext({ serviceWorkers: 'allow', locale: 'zh-CN' });
    const random = createRandom(seed);
    try {
      await run({
        context,
        lines,
        door,
        openDoor: () => door.set({ portalUrl: portal.url }),
        // The lists of the tests are not empty.
        draw: <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T,
        happens: (probability) => random() < probability,
      });
    } finally {
      await context.close();
      await door.close();
      await portal.close();
      await lines.close();
    }
  }
  const ends = await Promise.allSettled(seeds.map(runLane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
