import type { Browser } from '@playwright/test';
import { type Certificate, makeCertificate } from '../../e2e/support/make-certificate.ts';
import { type Replicas, startReplicas } from '../../e2e/support/start-replicas.ts';
import { type LineHosts, startLineHosts } from '../../src/line/start-line-hosts.ts';
import { openChromium } from '../open-chromium.ts';
import { PUBLISHER_ENV, addPublisher } from '../publish-version.ts';
import { type ReportWatch, watchReports } from './watch-reports.ts';

const MARKER = 'waypost-soak';
const BACKUPS = [1, 2, 3, 4].map((number) => `backup${number}.localhost`);
/** The lines that come and go. The fallback hosts stay. */
export const LINES = Array.from({ length: 40 }, (_, index) => `line${index + 1}.localhost`);

export type World = {
  readonly certificate: Certificate;
  readonly lines: LineHosts;
  readonly replicas: Replicas;
  readonly reports: ReportWatch;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
};

/** Starts two portals, PostgreSQL and nginx on the shipped configs, 44 line hosts, and a browser. */
export async function startWorld(): Promise<World> {
  const certificate = await makeCertificate(['localhost', '*.localhost']);
  const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts, tls: certificate });
  const withPort = (host: string): string => `https://${host}:${lines.ports[0]}`;
  const site = {
    lines: {
      marker: MARKER,
      hosts: LINES.map((host) => ({ host: withPort(host), noWWW: true })),
      fallback: BACKUPS.map(withPort),
    },
    analytics: { counts: 'self' },
    monitoring: { intakeUrl: 'self', sessionPercent: 1, replayPercent: 100 },
  };
  const replicas = await startReplicas(certificate, { site }, PUBLISHER_ENV);
  const { databaseUrl, portals } = replicas;
  await addPublisher(
    portals.map(({ opsUrl }) => opsUrl()),
    { ...PUBLISHER_ENV, WAYPOST_DATABASE_URL: databaseUrl },
  );
  const reports = await watchReports(databaseUrl);
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
