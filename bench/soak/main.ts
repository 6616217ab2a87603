import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sendVisits } from '../../e2e/support/send-visits.ts';
import type { Replica } from '../../e2e/support/start-replica.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { browseSite } from './browse-site.ts';
import { compareQuarters } from './compare-quarters.ts';
import { disturbLines } from './disturb-lines.ts';
import { type Sight, findTroubles } from './find-troubles.ts';
import { LINES, type World, startWorld } from './start-world.ts';
import type { ReportWatch } from './watch-reports.ts';

/** Enough visitors that V8's heap reaches its final size within the first quarter. */
const VISITORS = 8;
const VISIT_PAUSE_MS = 120;
const READ_EVERY_MS = 1_000;
const FLUSH_READS = 20;
const MB = 1_048_576;

/** Lets two portals, PostgreSQL and nginx run for a while, and says what became of them. Resolves with the exit status. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  const minutes = Number(values.minutes);
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
  const { portals, url } = replicas;
  const stopping = new AbortController();
  const visitors = sendVisits(url, { ca: certificate.cert, visitors: VISITORS, pauseMs: VISIT_PAUSE_MS });
  const browsing = browseSite(browser, url, stopping.signal);
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
  await visitors.stop();
  const accepted = await sumMetric(portals, 'waypost_measurements_total', 'verdict="accepted"');
  return {
    visited: visitors.tally,
    browsed,
    memory,
    accepted,
    arrived: await waitForReports(reports, accepted),
    lost: await sumMetric(portals, 'waypost_measurement_counts_lost_total'),
    serverErrors: await sumMetric(portals, 'waypost_requests_total', 'status="5'),
  };
}

async function sumMetric(portals: readonly Replica[], name: string, label?: string): Promise<number> {
  const values = await Promise.all(portals.map(({ readMetric }) => readMetric(name, label)));
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** What was accepted last is in the database when its window is over, within about ten seconds. */
async function waitForReports(watch: ReportWatch, wanted: number): Promise<number> {
  for (let reads = 0; reads < FLUSH_READS && watch.reports() < wanted; reads += 1) {
    await wait(READ_EVERY_MS);
    await watch.look();
  }
  return watch.reports();
}

function describeSight({ visited, browsed, memory, accepted, arrived }: Sight): readonly string[] {
  return [
    `visits: ${visited.visits} of plain clients, five requests each, and ${browsed.visits} of a browser`,
    `reports: ${accepted} accepted, ${arrived} in the database`,
    ...memory.map((series, index) => {
      const growth = (100 * compareQuarters(series)).toFixed(1);
      const megabytes = Math.round((series.at(-1) ?? 0) / MB);
      return `portal ${index + 1}: ${megabytes} MB at the end, the last quarter ${growth} % above the second`;
    }),
  ];
}
