// The console of a site with 200 lines and 50 networks, a day of visitors behind it. A program of its own, because it
// serves the code as it is built. Tells its parent its address, and lets ten seconds pass whenever it is told to.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { listen } from '../../dist/server/http/listen.js';
import { loadWebBuild } from '../../dist/server/site/load-web-build.js';
import { countReport } from '../../dist/server/learning/count-report.js';
import { addCounts, createCounts, openTally } from '../../dist/server/learning/counts.js';
import { createHistory } from '../../dist/server/learning/create-history.js';
import { MOMENT_EVERY_MS } from '../../dist/contract/moments.js';
import { keepMoments } from '../../dist/server/moments/keep-moments.js';
import { openDatabase } from '../../dist/server/store/open-database.js';
import { createMetrics } from '../../dist/server/metrics/create-metrics.js';
import { keepLineStates } from '../../dist/server/operator/lines/keep-line-states.js';
import { createOperator } from '../../dist/server/operator/create-operator.js';
import { createLineTable } from '../../dist/server/site/create-line-table.js';
import { loadSite } from '../../dist/server/site/load-site.js';
import { publishSite } from '../../dist/server/site/publish-site.js';
import { createSteering } from '../../dist/server/learning/create-steering.js';
import { createStepWatch } from '../../dist/server/process/create-step-watch.js';

const LINES = 200;
const NETWORKS = 50;
const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** At 100,000 visitors an hour. */
const VISITS_PER_WINDOW = 280;
const HANDED_OUT = 4;
/** Two hours of them. */
const MOMENTS = 24;
/** How many pairs of network and line there are for each that is blocked. */
const BLOCKED_EVERY = 37;

const web = await loadWebBuild(resolvePath('../../dist/web'));
const published = await publishSite(await loadSite(resolvePath('../../site')), 1, {
  renderPage: web.renderPage,
  now: Date.now,
  buildFallbackAddresses: () => [],
});
const hosts = Array.from({ length: LINES }, (_, line) => ({ host: `line${line + 1}.example` }));
const site = { ...published, lines: createLineTable({ ...published.config.lines, hosts }) };
const lineIds = site.lines.lines.map(({ id }) => id);

let now = Date.now() - DAY_MINUTES * MINUTE_MS;
let folds = 0;
const history = createHistory();
const steering = createSteering({ random: Math.random, now: () => now });
steering.setLines(site.lines.lines, 'measured');
for (let minute = 0; minute < DAY_MINUTES; minute += 1) passTime(MINUTE_MS);

// The minutes of the day before, and then two hours of moments. They lie in a database of their own.
const log = pino({ level: 'silent' });
let longSteps = 0;
const steps = createStepWatch({ metrics: { countLongStep: () => (longSteps += 1) }, log });
const dataDir = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const database = await openDatabase({ dataDir, log });
const moments = keepMoments({ database, steps, log, now: () => now });

const self = {
  name: 'bench:1',
  startedAt: now,
  siteVersion: 1,
  siteHash: published.hash,
  lines: null,
  isThis: true,
};
const operator = createOperator({
  moments,
  site: () => site,
  siteRecord: () => ({ publishedAt: self.startedAt, refusal: undefined }),
  steering,
  measurements: { history, folds: () => folds },
  lineWatch: undefined,
  lineStates: keepLineStates(),
  database: { isShared: false, state: () => ({ isUp: true, since: 0, rewoundAt: undefined }) },
  replicas: { replicas: () => [self] },
  readLimited: () => 0,
  startedAt: self.startedAt,
  token: undefined,
  mustSignIn: false,
  proxy: undefined,
  incidents: { list: () => [], listOpen: () => [], version: () => 0, channels: () => [], onCall: () => [] },
  recordings: {
    keeper: { version: () => 0, state: () => ({ fault: null }) },
    state: () => ({ isOn: false }),
  },
  visits: { readSums: async () => new Map(), readTimes: async () => new Map() },
  sourceVisits: { readSums: async () => new Map(), readTimes: async () => new Map() },
  steps,
  // Nobody signs in here, so nothing else of it is used.
  people: {
    store: { read: () => ({ people: [], tokens: [] }), isKnown: () => true },
    sessions: { learn: async () => {}, find: () => undefined },
  },
  desk: undefined,
  preview: undefined,
  check: { siteDir: '', askLine: undefined, now: () => now },
  build: web.console,
  registry: createMetrics().registry,
  isReady: () => true,
  log,
  now: () => now,
});
const { url } = await listen({ app: operator.app, log, host: '127.0.0.1', port: 0 });
process.on('message', () => {
  passTime(WINDOW_MS);
  operator.tellConsoles();
});
process.on('disconnect', () => void leave());
const startedAt = now;
now = Math.ceil(now / MOMENT_EVERY_MS) * MOMENT_EVERY_MS;
for (; now < startedAt + MOMENTS * MOMENT_EVERY_MS; passTime(MINUTE_MS)) {
  const minute = now;
  now += 25_000;
  await operator.takeMoment();
  now = minute;
}
const [{ bytes }] = await database.read('select avg(size) as bytes from moments where brand = $brand');
process.send?.({ url, momentBytes: bytes, longSteps });

async function leave() {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit();
}

function passTime(ms) {
  now += ms;
  folds += 1;
  const counts = countVisits();
  history.addWindow(counts, now);
  steering.fold(counts, now);
}

function countVisits() {
  const counts = createCounts();
  for (let visit = 0; visit < VISITS_PER_WINDOW; visit += 1) {
    const network = drawBelow(NETWORKS);
    const lines = Array.from({ length: HANDED_OUT }, () => drawBelow(LINES));
    const handedOut = lines.map((line) => lineIds[line]);
    counts.site.hostnameCalls += 1;
    for (const id of handedOut) openTally(counts, id).handedOut += 1;
    const results = lines.map((line, index) => ({
      index,
      outcome: (network * 7 + line) % BLOCKED_EVERY === 0 ? 'timeout' : 'valid',
      time: 60 + line + drawBelow(200),
    }));
    const area = `GB/AS${network + 1}`;
    addCounts(counts, countReport({ area, prefix: `${visit}`, lineIds: handedOut, results, entered: 0 }));
  }
  return counts;
}

function drawBelow(end) {
  return Math.floor(Math.random() * end);
}

function resolvePath(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
