import { writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { pino } from 'pino';
import { type PortalDeps, createPortal } from '../portal/create-portal.ts';
import type { VisitEnv } from '../portal/visit.ts';
import { type MeasurementKeeper, keepMeasurements } from '../learning/keep-measurements.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import { parseSite } from '../site/parse-site.ts';
import { createStepWatch } from '../process/create-step-watch.ts';
import { type Steering, createSteering } from '../learning/create-steering.ts';
import { type PublishedSite, publishSite } from '../site/publish-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { openLastGood } from '../store/open-last-good.ts';
import type { Cells } from '../visitors/cells.ts';
import type { VisitKeeper } from '../visitors/keep-visits.ts';
import type { AddressDatabase } from '../caller/open-address-database.ts';
import { type Question, type TestAnswer, askApp } from './ask-app.ts';
import { AWAY_DATABASE } from './disturb-database.ts';
import { createFakeWebBuild, renderFakePage } from './fake-web-build.ts';
import { createSiteFiles } from './site-files.ts';

export type TestPortal = {
  readonly app: Hono<VisitEnv>;
  readonly ask: (url: string, question?: Question) => Promise<TestAnswer>;
  readonly clock: { now: number };
  readonly site: PublishedSite;
  readonly steering: Steering;
  readonly measurements: MeasurementKeeper;
  /** What was counted of visits, unless they are given. */
  readonly counted: Cells;
  /** Who asked for lines. */
  readonly calls: readonly Parameters<PortalDeps['countCall']>[0][];
  /** The lines that were logged. */
  readonly logged: Record<string, unknown>[];
  readonly readMetrics: () => Promise<string>;
};

export type TestPortalOptions = {
  readonly files?: SiteFiles;
  readonly random?: () => number;
  readonly visits?: Pick<VisitKeeper, 'count'>;
  readonly addressDatabase?: AddressDatabase;
  /** By default messages are taken, and kept nowhere. */
  readonly recordings?: PortalDeps['recordings'];
};

/** The whole portal in process, with a clock that a test moves. */
export async function createTestPortal(options: TestPortalOptions = {}): Promise<TestPortal> {
  const site = await publishTestSite(options);
  const { assets } = await createFakeWebBuild();
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  const now = () => clock.now;
  const steering = createSteering({ random: options.random ?? Math.random, now });
  steering.setLines(site.lines.lines, site.config.lines.steering);
  const dataDir = join(tmpdir(), `waypost-portal-${randomUUID()}`);
  const counted = new Map<string, number>();
  const calls: Parameters<PortalDeps['countCall']>[0][] = [];
  const visits = options.visits ?? {
    count: (cells: Cells) => {
      for (const [cell, times] of cells) counted.set(cell, (counted.get(cell) ?? 0) + times);
    },
  };
  const measurements = await keepMeasurements({
    // It learns from its own visitors.
    database: AWAY_DATABASE,
    lastGood: openLastGood({ dataDir, database: AWAY_DATABASE, log }),
    steering,
    metrics,
    steps: createStepWatch({ metrics, log }),
    log: pino({ level: 'silent' }),
    now,
  });
  const app = createPortal({
    site: () => site,
    assets,
    secret: Buffer.alloc(32, 7),
    metrics,
    log,
    now,
    monotonicNow: now,
    steering,
    measurements,
    visits,
    sourceVisits: visits,
    countCall: (call) => calls.push(call),
    recordings: options.recordings ?? { take: () => 'taken' },
  });
  return {
    app,
    clock,
    site,
    steering,
    measurements,
    counted,
    calls,
    logged,
    readMetrics: () => metrics.registry.metrics(),
    ask: (url, question) => askApp(app, url, question),
  };
}

async function publishTestSite(options: TestPortalOptions): Promise<PublishedSite> {
  const { site, faults } = parseSite(options.files ?? (await createSiteFiles()));
  if (site === undefined) throw new Error(faults.map((fault) => writeSiteFault(fault, 'en')).join('\n'));
  const loaded = {
    site,
    addressDatabase: options.addressDatabase,
    warnings: [],
    hash: 'abc',
    fingerprint: '',
  };
  return publishSite(loaded, 1, {
    renderPage: renderFakePage,
    now: Date.now,
    buildFallbackAddresses: ({ fallback }) => fallback.map((host) => `${host}:9900`),
  });
}
