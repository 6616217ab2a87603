import type { Browser } from '@playwright/test';
import { type Certificate, makeCertificate } from '../../e2e/support/make-certificate.ts';
import { type Replicas, startReplicas } from '../../e2e/support/start-replicas.ts';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import { openChromium } from '../open-chromium.ts';
import { type ReportWatch, watchReports } from './watch-reports.ts';

const MARKER = 'waypost-soak';
const BACKUPS = [1, 2, 3, 4].map((number) => `backup${number}.localhost`);
/** The lines that come and go. The fallback hosts stay. */
export const LINES = [1, 2, 3, 4].map((number) => `line${number}.localhost`);

export type World = {
  readonly certificate: Certificate;
  readonly lines: LineHosts;
  readonly replicas: Replicas;
  readonly reports: ReportWatch;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
};

/** Starts two portals, PostgreSQL and nginx on the shipped configs, eight line hosts, and a browser. */
export async function startWorld(): Promise<World> {
  const certificate = await makeCertificate(['localhost', '*.localhost']);
  const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts, tls: certificate });
  const withPort = (host: string): string => `https://${host}:${lines.ports[0]}`;
  const replicas = await startReplicas(certificate, {
    site: {
      lines: {
        marker: MARKER,
        hosts: LINES.map((host) => ({ host: withPort(host), noWWW: true })),
        fallback: BACKUPS.map(withPort),
      },
    },
  });
  const reports = await watchReports(replicas.databaseUrl);
  const browser = await openChromium();
  return {
    certificate,
    lines,
    replicas,
    reports,
    browser,
    close: async () => {
      await browser.close();
      await reports.close();
      await replicas.close();
      await lines.close();
    },
  };
}
