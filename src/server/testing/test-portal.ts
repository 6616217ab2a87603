import { pino } from 'pino';
import { createPortal } from '../create-portal.ts';
import type { Answer } from '../http/exchange.ts';
import { createMetrics } from '../ops/metrics.ts';
import { parseSite } from '../site/parse-site.ts';
import { type PublishedSite, publishSite } from '../site/publish-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { CountryDatabase } from '../caller/region-rules.ts';
import { createFakeWebBuild, renderFakePage } from './fake-web-build.ts';
import { createSiteFiles } from './site-files.ts';

export type Question = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of the socket's other end. */
  readonly from?: string;
  readonly isEncrypted?: boolean;
};

export type TestPortal = {
  readonly ask: (url: string, question?: Question) => Promise<Answer & { readonly text: string }>;
  readonly clock: { now: number };
  /** The lines that were logged. */
  readonly logged: Record<string, unknown>[];
  readonly readMetrics: () => Promise<string>;
};

export type TestPortalOptions = {
  readonly files?: SiteFiles;
  readonly random?: () => number;
  readonly countryDatabase?: CountryDatabase;
};

/** The whole portal in process, with a clock that a test moves. */
export async function createTestPortal(options: TestPortalOptions = {}): Promise<TestPortal> {
  const site = await publishTestSite(options);
  const { assets } = await createFakeWebBuild();
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const portal = createPortal({
    site: () => site,
    assets,
    secret: Buffer.alloc(32, 7),
    metrics,
    log: pino({}, { write: (line) => logged.push(JSON.parse(line) as Record<string, unknown>) }),
    now: () => clock.now,
    monotonicNow: () => clock.now,
    random: options.random ?? Math.random,
  });
  return {
    clock,
    logged,
    readMetrics: () => metrics.registry.metrics(),
    ask: async (
      url,
      { method = 'GET', headers = {}, body, from = '203.0.113.9', isEncrypted = false } = {},
    ) => {
      const [path = '', query = ''] = url.split('?');
      const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const answer = await portal({
        method,
        path,
        query,
        header: (name) => given.get(name) ?? (name === 'host' ? 'localhost' : undefined),
        readBody: async (maxBytes) => (Buffer.byteLength(body ?? '') > maxBytes ? undefined : (body ?? '')),
        peerAddress: from,
        isEncrypted,
      });
      return { ...answer, text: answer.body?.toString() ?? '' };
    },
  };
}

async function publishTestSite(options: TestPortalOptions): Promise<PublishedSite> {
  const { site, faults } = parseSite(options.files ?? (await createSiteFiles()));
  if (site === undefined) throw new Error(faults.join('\n'));
  const loaded = { site, countryDatabase: options.countryDatabase, warnings: [], fingerprint: '' };
  return publishSite(loaded, 1, {
    renderPage: renderFakePage,
    buildFallbackAddresses: ({ fallback }) => fallback.map((host) => `${host}:9900`),
  });
}
