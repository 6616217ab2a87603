import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createConsole } from '../../src/server/console/create-console.ts';
import { answerError } from '../../src/server/http/answer-error.ts';
import { listen } from '../../src/server/http/listen.ts';
import { loadWebBuild } from '../../src/server/load-web-build.ts';
import { countReport } from '../../src/server/measurements/count-report.ts';
import {
  ALL_LINES,
  type Counts,
  TOTALS,
  TOTAL_FIELDS,
  addCount,
} from '../../src/server/measurements/counts.ts';
import { createHistory } from '../../src/server/measurements/history.ts';
import { createMetrics } from '../../src/server/ops/metrics.ts';
import { createOpsApp } from '../../src/server/ops/ops-app.ts';
import { createLineTable } from '../../src/server/site/line-table.ts';
import { loadSite } from '../../src/server/site/load-site.ts';
import { publishSite } from '../../src/server/site/publish-site.ts';
import { createSteering } from '../../src/server/steering/create-steering.ts';

export type LoadedConsole = {
  readonly url: string;
  /** Lets ten more seconds of visitors pass, and tells the console. */
  readonly update: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const WINDOW_MS = 10_000;
const DAY_MINUTES = 24 * 60;
const REPORTS_PER_WINDOW = 280;
const HANDED_OUT = 4;
/** One in so many pairs of network and line is blocked. */
const BLOCKED_EVERY = 37;

/** The console of a site with so many lines and networks, a day of visitors behind it. */
export async function startLoadedConsole(size: {
  readonly lines: number;
  readonly networks: number;
}): Promise<LoadedConsole> {
  const web = await loadWebBuild(fileURLToPath(new URL('../../dist/web', import.meta.url)));
  const published = await publishSite(
    await loadSite(fileURLToPath(new URL('../../site', import.meta.url))),
    1,
    {
      renderPage: web.renderPage,
      buildFallbackAddresses: () => [],
    },
  );
  const hosts = Array.from({ length: size.lines }, (_, line) => `line${line + 1}.example`);
  const site = { ...published, lines: createLineTable({ ...published.config.lines, hosts }) };
  const lineIds = site.lines.lines.map(({ id }) => id);
  let now = Date.now() - DAY_MINUTES * 60_000;
  let folds = 0;
  const history = createHistory();
  const steering = createSteering({ random: Math.random, now: () => now });
  steering.setLines(site.lines.lines, 'measured');

  const foldWindow = (windowMs: number): void => {
    now += windowMs;
    folds += 1;
    const counts = countVisits(lineIds, size.networks);
    history.addWindow(counts, now);
    steering.fold(counts, now);
  };
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) foldWindow(60_000);

  const self = { name: 'bench:1', startedAt: now, siteVersion: 1, isStoreUp: true };
  const operatorConsole = createConsole({
    site: () => site,
    siteRecord: () => ({ publishedAt: now, refusal: undefined }),
    steering,
    measurements: { history, folds: () => folds, storeState: () => ({ isUp: true, since: 0 }) },
    lineWatch: undefined,
    replicas: { kind: 'memory', replicas: () => [{ ...self, isThis: true }] },
    secret: new Uint8Array(32),
    token: undefined,
    build: web.console,
    now: () => now,
  });
  const app = createOpsApp({
    registry: createMetrics().registry,
    isReady: () => true,
    token: undefined,
    console: operatorConsole.app,
    answerError: (error) => answerError(error, { isSecure: false, log: pino({ level: 'silent' }) }),
  });
  const listener = await listen({ app, host: '127.0.0.1', port: 0, bounds: { closingGraceMs: 0 } });
  return {
    url: listener.url,
    update: async () => {
      foldWindow(WINDOW_MS);
      await operatorConsole.look();
    },
    close: async () => {
      operatorConsole.close();
      await listener.close();
    },
  };
}

function countVisits(lineIds: readonly string[], networks: number): Counts {
  const counts: Counts = new Map();
  const add = (row: string, field: string, amount: number): void => addCount(counts, row, field, amount);
  for (let visit = 0; visit < REPORTS_PER_WINDOW; visit += 1) {
    const network = Math.floor(Math.random() * networks);
    const lines = Array.from({ length: HANDED_OUT }, () => Math.floor(Math.random() * lineIds.length));
    const handedOut = lines.map((line) => lineIds[line] ?? '');
    for (const id of [ALL_LINES, ...handedOut]) add(TOTALS, TOTAL_FIELDS.handedOut + id, 1);
    const results = lines.map((line, index) => ({
      index,
      outcome: (network * 7 + line) % BLOCKED_EVERY === 0 ? ('timeout' as const) : ('valid' as const),
      time: 60 + line + Math.round(Math.random() * 200),
    }));
    countReport({ area: `GB/AS${network + 1}`, lineIds: handedOut, results, entered: 0 }, add);
  }
  return counts;
}
