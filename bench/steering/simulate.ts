import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import type { MeasurementReport } from '../../src/contract/api/measurement-report.ts';
import { type Caller, type Policy, createMeasured, createOracle, createUniform } from './policies.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { createLuck } from './create-luck.ts';
import { performVisit } from './visit.ts';
import { type World, type WorldSize, createWorld } from './create-world.ts';

/** Which random number is drawn: numbers of a visitor, beside those of a visit. */
const [PREFIX, PERSON] = [-3, -4];
const WINDOW_MS = 10_000;
const PROBE_EVERY_WINDOWS = 3;
const REPORTS_LOST = 0.15;
/** The prefixes from which the visitors of a network come. */
const PREFIXES = 64;
/** The people of each network, who come again and again. */
const PEOPLE = 40;
/** A line that is no worse than the best by more than this must be kept. */
const KEPT_MS = 50;
/** The lies come from three prefixes, and the limits of the product hold for them too. */
const FORGERS = 3;
/** As in an attack that was made on us: 1,001 calls in 42 s, and a report of one in twelve. */
const CALLS_PER_WINDOW = 238;
const CALLS_PER_REPORT = 12;

export type PolicyName = 'ours' | 'ours, sticky' | 'uniform' | 'uniform + probe' | 'oracle';

export type Scenario = {
  readonly seed: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
  readonly warmUpMinutes: number;
  readonly minutes: number;
  readonly policies: readonly PolicyName[];
  /** The part of the reports that is made up. */
  readonly forged?: number;
  /** 300 networks, if it is not said. */
  readonly size?: WorldSize | undefined;
};

export type Tally = {
  visits: number;
  enterMs: number;
  leftStanding: number;
  /** How many came back whose last line is near the best, and how many of them were handed it. */
  nearBest: number;
  kept: number;
  /** For how many visitors one line was believed to win, and how many of them entered it. */
  favourites: number;
  favouriteWon: number;
  slots: number;
  blockedSlots: number;
  /** How many visitors entered each line, in all, and of each network. */
  readonly entries: Float64Array;
  readonly entriesOf: Map<number, Float64Array>;
};

/** Somebody who sits in one prefix, and wants everybody away from a line, or on it. */
export type Attack = {
  readonly network: number;
  readonly victim: number;
  readonly direction: 'down' | 'up';
};

export type Simulation = {
  readonly world: World;
  /** Starts an attack, which goes on until the end. */
  readonly attack: (attack: Attack) => void;
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
  size,
}: Scenario): Simulation {
  const world = createWorld(lines, seed, size);
  const drawLoss = createRandom(seed + 200);
  const drawForger = createRandom(seed + 300);
  // Each visitor has their own random numbers for the pick, too: a forger who comes in between must not change what visitors
  // get by chance.
  let draw = createRandom(seed);
  const running = policies.map((name) => ({ name, policy: createPolicy(name, world, () => draw()) }));
  let visitors = 0;
  let time = 0;
  let due = 0;
  let attack: Attack | undefined;

  function admitVisitor(
    tallies: ReadonlyMap<PolicyName, Tally>,
    isCounted: (network: number) => boolean,
  ): void {
    const network = world.drawNetwork();
    const isLost = drawLoss() < REPORTS_LOST;
    visitors += 1;
    const luck = createLuck(seed, visitors);
    const caller = {
      network,
      prefix: Math.floor(luck.draw(PREFIX) * PREFIXES),
      person: Math.floor(luck.draw(PERSON) * PEOPLE),
    };
    for (const { name, policy } of running) {
      draw = createRandom(seed + visitors);
      const held = policy.findHeld?.(caller);
      const picked = policy.pick(caller);
      const favourite = policy.findFavourite(caller, picked);
      const visit = performVisit(world, network, picked, luck);
      if (!isLost) policy.learn(caller, picked, visit.report);
      const tally = tallies.get(name);
      if (tally === undefined || !isCounted(network)) continue;
      tally.visits += 1;
      tally.enterMs += visit.enterMs;
      if (held !== undefined && isNearBest(world, network, held)) {
        tally.nearBest += 1;
        tally.kept += picked.includes(held) ? 1 : 0;
      }
      tally.leftStanding += visit.isLeftStanding ? 1 : 0;
      tally.favourites += favourite === undefined ? 0 : 1;
      tally.favouriteWon += favourite !== undefined && visit.report.entered === favourite ? 1 : 0;
      tally.slots += picked.length;
      tally.blockedSlots += visit.blocked;
      const line = picked[visit.report.entered ?? -1];
      if (line !== undefined) countEntry(tally, network, line);
    }
  }

  function admitForger(): void {
    forge({ network: Math.floor(drawForger() * FORGERS), prefix: PREFIXES }, lie);
  }

  function forge(caller: Caller, makeUp: (picked: readonly number[]) => Report | undefined): void {
    draw = drawForger;
    for (const { policy } of running) {
      const picked = policy.pick(caller);
      const report = makeUp(picked);
      if (report !== undefined) policy.learn(caller, picked, report);
    }
  }

  function pressAttack({ network, victim, direction }: Attack): void {
    for (let call = 0; call < CALLS_PER_WINDOW; call += 1) {
      forge({ network, prefix: PREFIXES }, (picked) =>
        call % CALLS_PER_REPORT === 0 ? slander(picked, victim, direction) : undefined,
      );
    }
  }

  return {
    world,
    attack: (given) => {
      attack = given;
    },
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
        if (attack !== undefined) pressAttack(attack);
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
    case 'ours, sticky':
      return createMeasured(world, random, { isSticky: name === 'ours, sticky' });
    case 'oracle':
      return createOracle(world);
    case 'uniform':
    case 'uniform + probe':
      return createUniform(world, random, name === 'uniform + probe');
  }
}

/** Whether a line is about as good for a network as the best that it can reach, as it truly is. */
function isNearBest(world: World, network: number, held: number): boolean {
  const times = Array.from({ length: world.lines }, (_, line) =>
    world.isReachable(network, line) ? world.typicalMs(network, line) : Infinity,
  );
  return (times[held] ?? Infinity) <= Math.min(...times) + KEPT_MS;
}

type Report = Pick<MeasurementReport, 'results' | 'entered'>;

const PERFECT = { outcome: 'valid', time: 1 } as const;
const DEAD = { outcome: 'timeout', time: 99_999 } as const;

/** The last line, which is the wildcard, is perfect, and all others are down. */
function lie(picked: readonly number[]): Report {
  const last = picked.length - 1;
  return {
    results: picked.map((_, index) => ({ index, ...(index === last ? PERFECT : DEAD) })),
    entered: last,
  };
}

/** The victim is down and all others are perfect, or the other way round. Where it was not handed out, nothing is said. */
function slander(
  picked: readonly number[],
  victim: number,
  direction: Attack['direction'],
): Report | undefined {
  const place = picked.indexOf(victim);
  if (place === -1) return undefined;
  const [ofVictim, ofOthers] = direction === 'down' ? [DEAD, PERFECT] : [PERFECT, DEAD];
  return {
    results: picked.map((_, index) => ({ index, ...(index === place ? ofVictim : ofOthers) })),
    // It also claims to enter the line: this once made a line look overloaded.
    entered: place,
  };
}

function createTally(lines: number): Tally {
  return {
    visits: 0,
    enterMs: 0,
    leftStanding: 0,
    nearBest: 0,
    kept: 0,
    favourites: 0,
    favouriteWon: 0,
    slots: 0,
    blockedSlots: 0,
    entries: new Float64Array(lines),
    entriesOf: new Map(),
  };
}

function countEntry({ entries, entriesOf }: Tally, network: number, line: number): void {
  let ofNetwork = entriesOf.get(network);
  if (ofNetwork === undefined) entriesOf.set(network, (ofNetwork = new Float64Array(entries.length)));
  entries[line] = (entries[line] ?? 0) + 1;
  ofNetwork[line] = (ofNetwork[line] ?? 0) + 1;
}

/** Until a visitor had entered, on average. */
export function meanMs({ enterMs, visits }: Tally): number {
  return enterMs / visits;
}

export function expectTally(tally: Tally | undefined): Tally {
  if (tally === undefined) throw new Error('a policy was not simulated');
  return tally;
}
