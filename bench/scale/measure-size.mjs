// Prints, as JSON, what a site with this many lines, networks and visits an hour costs: LINES NETWORKS VISITS_PER_HOUR. A program
// of its own, because it measures the code as it is built, and what the garbage collector leaves.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { addVisits, createCounts, openTally } from '../../dist/server/learning/counts.js';
import { addReport } from '../../dist/server/learning/count-report.js';
import { createHistory } from '../../dist/server/learning/create-history.js';
import { createSteering } from '../../dist/server/learning/create-steering.js';
import { decodeSnapshot, encodeSnapshot } from '../../dist/server/learning/snapshot.js';
import { packSnapshot, unpackSnapshot } from '../../dist/server/learning/snapshot-file.js';
import { createStepWatch } from '../../dist/server/process/create-step-watch.js';
import { describeAreas } from '../../dist/server/operator/lines/describe-areas.js';
import { describeLines } from '../../dist/server/operator/lines/describe-lines.js';
import { keepLineStates } from '../../dist/server/operator/lines/keep-line-states.js';
import { describeOverview } from '../../dist/server/operator/overview/describe-overview.js';
import { createLineTable } from '../../dist/server/site/create-line-table.js';

const [lineCount, networkCount, visitsPerHour] = process.argv.slice(2).map(Number);
const WINDOW_MS = 10_000;
const COUNTRIES = 60;
const PREFIXES = 64;
/** Half an hour: evidence of losses is kept for as long. */
const WINDOWS = Number(process.env.WINDOWS ?? 180);
const visitsPerWindow = Math.round((visitsPerHour * WINDOW_MS) / 3_600_000);

const startAt = 1_800_000_000_000;
let now = startAt;
let seed = 1;
const table = createLineTable({
  hosts: Array.from({ length: lineCount }, (_, line) => ({ host: `line${line}.example` })),
  fallback: [],
});
const ids = table.lines.map(({ id }) => id);
const areas = Array.from({ length: networkCount }, (_, network) => `${nameCountry(network)}/AS${network}`);
const drawNetwork = createZipf(networkCount);

let history = createHistory();
let steering = createSteering({ random, now: () => now });
steering.setLines(table.lines, 'measured');
const costs = { call: [], report: [], fold: [], foldStep: [] };
for (let window = 0; window < WINDOWS; window += 1) await passWindow();

// As in a portal that has run for a while, V8 has compiled what is measured.
for (let time = 0; time < 3; time += 1)
  await measureSteps(encodeSnapshot({ seq: 1, knowledge: steering.knowledge(), history: history.save() }));
const encoding = await measureSteps(
  encodeSnapshot({ seq: 1, knowledge: steering.knowledge(), history: history.save() }),
);
const packed = await packSnapshot(encoding.value);
const unpacked = await unpackSnapshot(packed);
const reading = await measureSteps(decodeSnapshot(unpacked));
let sources = createSources();
measureOverviews(10);
const overviewMs = measureOverviews(50);
await measureSteps(describeAreas(sources));
const map = await measureSteps(describeAreas(sources));
const lines = await measureSteps(describeLines(sources));
const { areas: areaCount, votes } = countKnown();
const memory = await measureMemory();

process.stdout.write(
  JSON.stringify({
    callUs: mean(costs.call),
    reportUs: mean(costs.report),
    foldMs: mean(costs.fold),
    foldStepMs: Math.max(...costs.foldStep),
    areas: areaCount,
    votes,
    memoryMb: memory,
    snapshotMb: packed.length / 1e6,
    snapshotMs: encoding.ms,
    snapshotStepMs: encoding.longestMs,
    startMs: reading.ms,
    startStepMs: reading.longestMs,
    overviewMs,
    mapMs: map.ms,
    viewStepMs: Math.max(overviewMs, map.longestMs, lines.longestMs),
  }),
);

/** The mean of some, because one of a small site takes less than the clock can tell. */
function measureOverviews(times) {
  return (
    measure(() => {
      for (let time = 0; time < times; time += 1) describeOverview(sources, 1);
    }).ms / times
  );
}

async function passWindow() {
  const networks = Array.from({ length: visitsPerWindow }, drawNetwork);
  const picking = measure(() => networks.map((network) => steering.pick(areas[network])));
  costs.call.push((picking.ms * 1_000) / visitsPerWindow);
  const reports = networks.map((network, visit) => report(network, picking.value[visit]));
  const counts = createCounts();
  const counting = measure(() => {
    for (const each of reports) addReport(counts, each);
  });
  costs.report.push((counting.ms * 1_000) / visitsPerWindow);
  for (const picked of picking.value)
    for (const line of picked) {
      openTally(counts, ids[line]).handedOut += 1;
      addVisits(openTally(counts, ids[line]), 1 / picked.length);
    }
  counts.site.hostnameCalls += visitsPerWindow;
  now += WINDOW_MS;
  const folding = await measureSteps(steering.foldInSteps(counts, now));
  const adding = measure(() => history.addWindow(counts, now));
  costs.fold.push(folding.ms + adding.ms);
  costs.foldStep.push(folding.longestMs, adding.ms);
}

function report(network, picked) {
  const results = picked.map((line, index) => {
    const isLost = random() < 0.015 || isBlocked(network, line);
    return { index, outcome: isLost ? 'timeout' : 'valid', time: isLost ? 99_999 : timeOf(network, line) };
  });
  const valid = results.filter(({ outcome }) => outcome === 'valid');
  const best = valid.toSorted((a, b) => a.time - b.time)[0];
  return {
    area: areas[network],
    prefix: `10.${network}.${Math.floor(random() * PREFIXES)}`,
    lineIds: picked.map((line) => ids[line]),
    results,
    entered: best?.index ?? null,
  };
}

/** Most networks are as far from a line as their country; every fifth has its own way. */
function timeOf(network, line) {
  const country = network % COUNTRIES;
  const own = network % 5 === 0 ? 0.4 * spread(network * 1_009 + line) : 0;
  return Math.round(
    (80 + 500 * fraction(country * 997 + line)) * Math.exp(own + 0.25 * spread(random() * 1e9)),
  );
}

function isBlocked(network, line) {
  return fraction((network % COUNTRIES) * 31 + line * 7_919) < 0.05;
}

function countKnown() {
  const { areas: known, areaVotes, widerVotes } = steering.knowledge();
  return { areas: known.size, votes: areaVotes.rowCount() + widerVotes.rowCount() };
}

/** What the garbage collector frees when nothing is known any more. */
async function measureMemory() {
  // What is worked out for picks after each fold was not learned.
  steering.setDown(new Set());
  const full = await readMemoryMb();
  steering = history = sources = undefined;
  return full - (await readMemoryMb());
}

/** The room of typed arrays is given back by another thread, after their objects: the snapshot of a moment ago must not count. */
async function readMemoryMb() {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

function createSources() {
  return {
    site: () => ({
      version: 1,
      hash: '',
      config: { brand: { name: 'bench' }, maintenance: [], lines: {} },
      lines: table,
    }),
    siteRecord: () => ({ publishedAt: startAt, refusal: undefined }),
    steering,
    measurements: { history, folds: () => WINDOWS },
    lineStates: keepLineStates(),
    lineWatch: undefined,
    replicas: { replicas: () => [] },
    database: { isShared: false, state: () => ({ isUp: true, since: 0, rewoundAt: undefined }) },
    readLimited: () => 0,
    incidents: { listOpen: () => [] },
    startedAt: startAt,
    now: () => now,
  };
}

function measure(work) {
  const before = readThreadMs();
  const value = work();
  return { value, ms: readThreadMs() - before };
}

/** The processor time of the main thread alone, in ms: the garbage collector has threads of its own. */
function readThreadMs() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;
}

/** Takes steps as the portal does, and measures each turn. */
async function measureSteps(steps) {
  const turns = [];
  const watch = createStepWatch({
    metrics: { countLongStep: () => undefined },
    log: { warn: ({ ms }) => turns.push(ms) },
    longStepMs: 0,
    clocks: [() => performance.now(), readThreadMs],
  });
  const value = await watch.runSteps('measured', steps);
  return { value, ms: turns.reduce((sum, ms) => sum + ms, 0), longestMs: Math.max(...turns) };
}

/** The network of rank n has a part of the visitors that is proportional to 1/n. */
function createZipf(count) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) sums[rank] = sum += 1 / (rank + 1);
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function nameCountry(network) {
  const country = network % COUNTRIES;
  return String.fromCharCode(65 + Math.floor(country / 26), 65 + (country % 26));
}

function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 4_294_967_296;
}

/** The same number for the same name, from 0 to 1. */
function fraction(name) {
  let mixed = Math.imul((name | 0) ^ 0x9e_37_79_b9, 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** About normal: from -2 to 2. */
function spread(name) {
  return (fraction(name) + fraction(name + 1) + fraction(name + 2) - 1.5) * 2;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
