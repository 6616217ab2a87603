import type { MeasurementReport } from '../../src/contract/measurement-report.ts';
import { createRateLimiter } from '../../src/server/http/rate-limiter.ts';
import { type Policy, createMeasured, createOracle, createUniform } from './policies.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { createLuck } from './luck.ts';
import { performVisit } from './visit.ts';
import { type World, createWorld } from './world.ts';

const WINDOW_MS = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PROBE_EVERY_WINDOWS = 3;
const REPORTS_LOST = 0.15;
/** The lies come from three prefixes, and the limits of the product hold for them too. */
const FORGERS = 3;
const REPORTS_PER_PREFIX = 10;
const LIMIT_WINDOW_MS = 300_000;

export type PolicyName = 'ours' | 'uniform' | 'uniform + probe' | 'oracle';

export type Scenario = {
  readonly seed: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
  readonly warmUpMinutes: number;
  readonly minutes: number;
  readonly policies: readonly PolicyName[];
  /** The part of the reports that is made up. */
  readonly forged?: number;
};

export type Tally = {
  visits: number;
  enterMs: number;
  leftStanding: number;
  slots: number;
  blockedSlots: number;
  readonly entries: Float64Array;
};

export type Simulation = {
  readonly world: World;
  /** Lets visitors come for a while, and tells what became of them, policy by policy. */
  readonly run: (ms: number, isCounted?: (network: number) => boolean) => ReadonlyMap<PolicyName, Tally>;
};

/** Simulates a scenario, and tells what became of the visitors after the warm-up. */
export function simulate(scenario: Scenario): ReadonlyMap<PolicyName, Tally> {
  const { run } = startSimulation(scenario);
  run(scenario.warmUpMinutes * MINUTE_MS);
  return run(scenario.minutes * MINUTE_MS);
}

/** Starts a world with all policies side by side: the same visitors come to each, at the same time. */
export function startSimulation({
  seed,
  lines,
  visitorsPerHour,
  policies,
  forged = 0,
}: Scenario): Simulation {
  const world = createWorld(lines, seed);
  const drawLoss = createRandom(seed + 200);
  const drawForger = createRandom(seed + 300);
  // A visitor's own, too: a forger who comes between two visitors must not change what either is handed by chance.
  let draw = createRandom(seed);
  const running = policies.map((name) => ({ name, policy: createPolicy(name, world, () => draw()) }));
  let visitors = 0;
  let time = 0;
  let due = 0;
  const limiter = createRateLimiter({
    windowMs: LIMIT_WINDOW_MS,
    limit: () => REPORTS_PER_PREFIX,
    now: () => time,
  });

  function admitVisitor(
    tallies: ReadonlyMap<PolicyName, Tally>,
    isCounted: (network: number) => boolean,
  ): void {
    const network = world.drawNetwork();
    const isLost = drawLoss() < REPORTS_LOST;
    visitors += 1;
    const luck = createLuck(seed, visitors);
    for (const { name, policy } of running) {
      draw = createRandom(seed + visitors);
      const picked = policy.pick(network);
      const visit = performVisit(world, network, picked, luck);
      if (!isLost) policy.learn(network, picked, visit.report);
      const tally = tallies.get(name);
      if (tally === undefined || !isCounted(network)) continue;
      tally.visits += 1;
      tally.enterMs += visit.enterMs;
      tally.leftStanding += visit.isLeftStanding ? 1 : 0;
      tally.slots += picked.length;
      tally.blockedSlots += visit.blocked;
      const line = picked[visit.report.entered ?? -1];
      if (line !== undefined) tally.entries[line] = (tally.entries[line] ?? 0) + 1;
    }
  }

  function admitForger(): void {
    const prefix = Math.floor(drawForger() * FORGERS);
    if (!limiter.consume(`prefix ${prefix}`).isAllowed) return;
    for (const { policy } of running) {
      const picked = policy.pick(prefix);
      policy.learn(prefix, picked, lie(picked.length));
    }
  }

  return {
    world,
    run: (ms, isCounted = () => true) => {
      const tallies = new Map(policies.map((name) => [name, createTally(lines)]));
      const until = time + ms;
      while (time < until) {
        if (Math.round(time / WINDOW_MS) % PROBE_EVERY_WINDOWS === 0) {
          for (const { policy } of running) policy.probeLines();
        }
        for (due += (visitorsPerHour * WINDOW_MS) / HOUR_MS; due >= 1; due -= 1) {
          admitVisitor(tallies, isCounted);
          if (drawForger() < forged / (1 - forged)) admitForger();
        }
        world.advance(WINDOW_MS);
        time += WINDOW_MS;
        for (const { policy } of running) policy.endWindow(time);
      }
      return tallies;
    },
  };
}

function createPolicy(name: PolicyName, world: World, random: () => number): Policy {
  switch (name) {
    case 'ours':
      return createMeasured(world, random);
    case 'oracle':
      return createOracle(world);
    case 'uniform':
    case 'uniform + probe':
      return createUniform(world, random, name === 'uniform + probe');
  }
}

/** The last line, which is the wildcard, is perfect, and all others are down. */
function lie(lines: number): Pick<MeasurementReport, 'results' | 'entered'> {
  const results = Array.from({ length: lines }, (_, index) =>
    index === lines - 1
      ? { index, outcome: 'valid' as const, time: 1 }
      : { index, outcome: 'timeout' as const, time: 99_999 },
  );
  return { results, entered: lines - 1 };
}

function createTally(lines: number): Tally {
  return {
    visits: 0,
    enterMs: 0,
    leftStanding: 0,
    slots: 0,
    blockedSlots: 0,
    entries: new Float64Array(lines),
  };
}
