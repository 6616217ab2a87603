import { test as base, expect } from '@playwright/test';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import { type Portal, type PortalEnvironment, startPortal } from './start-portal.ts';
import type { SiteChanges } from './make-site-folder.ts';

export { expect };

const MARKER = 'waypost-test';
export const LINES = [1, 2, 3, 4].map((number) => `line${number}.localhost`);
export const BACKUPS = [1, 2, 3, 4].map((number) => `backup${number}.localhost`);

type Fixtures = {
  /** Changes to the demo brand's site folder: `test.use({ changes: … })`. */
  readonly changes: SiteChanges;
  /** Environment variables of the portal: `test.use({ environment: … })`. */
  readonly environment: PortalEnvironment;
  /** Eight line hosts with knobs, line1 … line4 and backup1 … backup4, on one free port. */
  readonly lines: LineHosts;
  /** A portal of the test's own, whose lines these are. */
  readonly portal: Portal;
  /** Console errors and page errors that the test brings about on purpose. Any other one fails it. */
  readonly expectedErrors: RegExp[];
};

/** A test of the whole product: a portal, line hosts, and a page that may not complain. */
export const test = base.extend<Fixtures>({
  changes: [{}, { option: true }],
  environment: [{}, { option: true }],
  lines: async ({}, use) => {
    const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
    const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
    await use(lines);
    await lines.close();
  },
  portal: async ({ lines, changes, environment }, use) => {
    const portal = await startPortal(nameLines(lines, changes), environment);
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
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
    });
    await use(page);
    expect(errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))).toEqual([]);
  },
});

/** Makes these line hosts the lines of a site, its fallback hosts and the addresses of its target. */
export function nameLines({ ports }: LineHosts, changes: SiteChanges): SiteChanges {
  const withPort = (host: string) => `http://${host}:${ports[0]}`;
  return {
    ...changes,
    site: {
      lines: { marker: MARKER, hosts: LINES.map(withPort), fallback: BACKUPS.map(withPort) },
      ...changes.site,
    },
    targets: {
      localhost: { one: withPort('line1.localhost'), two: withPort('line2.localhost') },
      ...changes.targets,
    },
  };
}
