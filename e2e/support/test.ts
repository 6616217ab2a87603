import { test as base, expect } from '@playwright/test';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import {
  type Portal,
  type PortalEnvironment,
  type PortalHost,
  createPortalHost,
} from './create-portal-host.ts';
import { type PortalPool, createPortalPool } from './create-portal-pool.ts';
import { startHarness } from './start-harness.ts';
import { type Intake, startIntake } from './start-intake.ts';
import { type TagHost, startTagHost } from './start-tag-host.ts';
import type { SiteChanges } from './make-site-folder.ts';
import { expectNoOthers, watchErrors } from './watch-errors.ts';

export { expect };

export const MARKER = 'waypost-test';
export const LINES = [1, 2, 3, 4].map((number) => `line${number}.localhost`);
export const BACKUPS = [1, 2, 3, 4].map((number) => `backup${number}.localhost`);

/** `test.use(IN_RESTRICTED_REGION)`: a visitor from a country that the site does not serve, as a CDN says. */
export const IN_RESTRICTED_REGION = {
  changes: {
    site: {
      network: { countryHeader: 'X-Country', trustedProxies: ['127.0.0.0/8', '::1/128'] },
      compliance: { restrictedRegions: ['AQ'] },
    },
  },
  extraHTTPHeaders: { 'X-Country': 'AQ' },
};

type Fixtures = {
  /** Changes to the demo brand's site folder: `test.use({ changes: … })`. */
  readonly changes: SiteChanges;
  /** Environment variables of the portal: `test.use({ environment: … })`. */
  readonly environment: PortalEnvironment;
  /**
   * True for a test that looks at what its portal counts, learns or logs, or that does something to it. The others share one
   * that learns nothing and limits nobody.
   */
  readonly hasOwnPortal: boolean;
  /** How often such a portal probes its lines, if not every 30 s. */
  readonly probeEveryMs: number | undefined;
  /** Eight line hosts with knobs, line1 … line4 and backup1 … backup4, on one free port. */
  readonly lines: LineHosts;
  /** A portal whose lines these are. */
  readonly portal: Portal;
  /** Console errors and page errors that the test brings about on purpose. Any other one fails it. */
  readonly expectedErrors: RegExp[];
};

/**
 * What the tests of a worker share. The first test that asks for one starts it. All of them are named here, because Playwright
 * starts another worker with another browser for a test that has others.
 */
type WorkerFixtures = {
  readonly sharedLines: LineHosts;
  readonly portalHost: PortalHost;
  readonly sharedPortals: PortalPool;
  /** A site folder names both, so that tests with the same ones can share a portal. */
  readonly sharedIntake: Intake;
  readonly sharedTagHost: TagHost;
  /** The URL of a page that has nothing but the engine. */
  readonly harnessUrl: string;
};

/** A test of the whole product: a portal, line hosts, and a page that may not complain. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  changes: [{}, { option: true }],
  environment: [{}, { option: true }],
  hasOwnPortal: [false, { option: true }],
  probeEveryMs: [undefined, { option: true }],
  sharedLines: [
    async ({}, use) => {
      const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
      const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
      await use(lines);
      await lines.close();
    },
    { scope: 'worker' },
  ],
  portalHost: [
    async ({}, use) => {
      const host = createPortalHost();
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
  sharedPortals: [
    async ({ portalHost }, use) => {
      const portals = createPortalPool(portalHost);
      await use(portals);
      await portals.close();
    },
    { scope: 'worker' },
  ],
  sharedIntake: [
    async ({}, use) => {
      const intake = await startIntake();
      await use(intake);
      intake.close();
    },
    { scope: 'worker' },
  ],
  sharedTagHost: [
    async ({}, use) => {
      const tagHost = await startTagHost();
      await use(tagHost);
      tagHost.close();
    },
    { scope: 'worker' },
  ],
  harnessUrl: [
    async ({}, use) => {
      const { url, close } = await startHarness();
      await use(url);
      close();
    },
    { scope: 'worker' },
  ],
  lines: [
    async ({ sharedLines }, use) => {
      sharedLines.reset();
      await use(sharedLines);
    },
    // For every test, even if it does not name the lines: the test before it may have broken some.
    { auto: true },
  ],
  portal: async (
    { lines, changes, environment, hasOwnPortal, probeEveryMs, portalHost, sharedPortals },
    use,
  ) => {
    const site = nameLines(lines, changes);
    if (!hasOwnPortal) return use(await sharedPortals.take(forgetVisits(site), environment));
    const portal = await portalHost.start(site, environment, probeEveryMs);
    await use(portal);
    await portal.close();
  },
  baseURL: async ({ portal }, use) => {
    await use(portal.url);
  },
  expectedErrors: async ({}, use) => {
    await use([]);
  },
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    watchErrors(page, errors);
    await use(page);
    expectNoOthers(errors, expectedErrors);
  },
});

/** Makes these line hosts the lines of a site, its fallback hosts and the addresses of its target. */
export function nameLines({ ports }: LineHosts, changes: SiteChanges): SiteChanges {
  const withPort = (host: string) => `http://${host}:${ports[0]}`;
  return {
    ...changes,
    site: {
      ...changes.site,
      lines: {
        marker: MARKER,
        hosts: LINES.map(withPort),
        fallback: BACKUPS.map(withPort),
        // An object, in every site folder.
        ...(changes.site?.['lines'] as object),
      },
    },
    targets: {
      localhost: { one: withPort('line1.localhost'), two: withPort('line2.localhost') },
      ...changes.targets,
    },
  };
}

/** What one test's visitors measure or ask for makes no difference to another's. */
export function forgetVisits({ site, ...changes }: SiteChanges): SiteChanges {
  return {
    ...changes,
    site: {
      ...site,
      // Lines and limits are objects, in every site folder.
      lines: { ...(site?.['lines'] as object), steering: 'uniform' },
      limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000, ...(site?.['limits'] as object) },
    },
  };
}
