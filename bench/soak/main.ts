import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Replica } from '../../e2e/support/start-replica.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { readBusyMs, readProcessorMs } from '../read-processor.ts';
import { browseSite } from './browse-site.ts';
import { compareQuarters } from './compare-quarters.ts';
import { disturbLines } from './disturb-lines.ts';
import { type Processor, type Sight, findTroubles } from './find-troubles.ts';
import { keepPublishing } from './keep-publishing.ts';
import { readStored } from './read-stored.ts';
import { countRecorded, sendLoad } from './send-load.ts';
import { LINES, type World, startWorld } from './start-world.ts';
import { watchConsole } from './watch-console.ts';
import type { ReportWatch } from './watch-reports.ts';

const READ_EVERY_MS = 1_000;
const FLUSH_READS = 20;
const MB = 1_048_576;

/**
 * Sends 60 visits a second to two portals, PostgreSQL and nginx for a while, while lines die and come back, a version is published each
 * minute, and a console is open. Says what became of them. Resolves with the exit status.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  });
  const minutes = values.short ? 1 : Number(values.minutes);
  if (!(minutes > 0)) {
    console.error(`soak: --minutes must be a number above 0, got "${values.minutes}"`);
    return 2;
  }
  const world = await startWorld();
  let sight: Sight;
  try {
    sight = await soak(world, minutes * 60_000, createRandom(Number(values.seed)));
  } finally {
    await world.close();
  }
  const troubles = findTroubles(sight, world.replicas);
  for (const line of describeSight(sight)) console.log(line);
  for (const trouble of troubles) console.error(`✗ ${trouble}`);
  if (troubles.length === 0) console.log('✓ nothing failed');
  return troubles.length === 0 ? 0 : 1;
}

async function soak(world: World, forMs: number, random: () => number): Promise<Sight> {
  const { certificate, lines, replicas, reports, browser } = world;
  const { portals, url, databaseUrl } = replicas;
  const opsUrls = portals.map(({ opsUrl }) => opsUrl());
  const stopping = new AbortController();
  const readProcessor = await watchProcessor(portals);
  const operator = await watchConsole(browser, opsUrls[0] ?? '');
  const visitors = sendLoad(url, certificate.cert);
  const browsing = browseSite(browser, url, stopping.signal);
  const publishing = keepPublishing(opsUrls, stopping.signal);
  const disturb = disturbLines(lines, LINES, random);
  const memory = portals.map((): number[] => []);
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) {
    disturb();
    await reports.look();
    for (const [index, { readMetric }] of portals.entries()) {
      memory[index]?.push((await readMetric('process_resident_memory_bytes')) ?? Number.NaN);
    }
    await wait(READ_EVERY_MS);
  }
  stopping.abort();
  const browsed = await browsing;
  const published = await publishing;
  await visitors.stop();
  await operator.close();
  const processor = await readProcessor();
  const accepted = await sumMetric(portals, 'waypost_measurements_total', 'verdict="accepted"');
  return {
    visited: visitors.tally,
    browsed,
    published,
    consoleErrors: operator.errors,
    processor,
    memory,
    accepted,
    arrived: await waitForReports(reports, accepted),
    recorded: countRecorded(visitors.tally.visits),
    stored: await readStored(databaseUrl),
    lost: await sumMetric(portals, 'waypost_measurement_counts_lost_total'),
    longSteps: await sumMetric(portals, 'waypost_long_steps_total'),
    serverErrors: await sumMetric(portals, 'waypost_requests_total', 'status="5'),
  };
}

async function sumMetric(portals: readonly Replica[], name: string, label?: string): Promise<number> {
  const values = await Promise.all(portals.map(({ readMetric }) => readMetric(name, label)));
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** Which part of all processors the portals, this program and everything on the machine take from now on. */
async function watchProcessor(portals: readonly Replica[]): Promise<() => Promise<Processor>> {
  const read = async () => ({
    atMs: performance.now() * availableParallelism(),
    portals: 1_000 * (await sumMetric(portals, 'process_cpu_seconds_total')),
    generator: await readProcessorMs('self'),
    all: await readBusyMs(),
  });
  const before = await read();
  return async () => {
    const after = await read();
    const share = (key: keyof Processor): number => (after[key] - before[key]) / (after.atMs - before.atMs);
    return { portals: share('portals'), generator: share('generator'), all: share('all') };
  };
}

/** What was accepted last is in the database when its window is over, within about ten seconds. */
async function waitForReports(watch: ReportWatch, wanted: number): Promise<number> {
  for (let reads = 0; reads < FLUSH_READS && watch.reports() < wanted; reads += 1) {
    await wait(READ_EVERY_MS);
    await watch.look();
  }
  return watch.reports();
}

function describeSight(sight: Sight): readonly string[] {
  const { visited, browsed, published, processor, memory, accepted, arrived, recorded, stored, longSteps } =
    sight;
  return [
    `visits: ${visited.visits} of plain clients, and ${browsed.visits} of a browser; versions published: ${published.versions}`,
    `reports: ${accepted} accepted, ${arrived} in the database`,
    `pages counted by plain clients: ${visited.visits} sent, ${stored.pages} in the database, with those of the browser`,
    `segments of replays: ${recorded} sent, ${stored.segments} in the database, with those of the browser`,
    `processors of this machine: ${inPercent(processor.all)} busy, of this the portals ${inPercent(processor.portals)}, and the program that makes the visits and answers as the lines ${inPercent(processor.generator)}`,
    `steps of the main threads above 20 ms: ${longSteps}`,
    ...memory.map((series, index) => {
      const growth = (100 * compareQuarters(series)).toFixed(1);
      const megabytes = Math.round((series.at(-1) ?? 0) / MB);
      return `portal ${index + 1}: ${megabytes} MB at the end, the last quarter ${growth} % above the second`;
    }),
  ];
}

function inPercent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}
