import { randomInt } from 'node:crypto';
import type { Bench, Claim } from './claim.ts';
import { type Compared, simulateUptime } from './uptime/simulate-uptime.ts';

const SEEDS = 6;
const MAX_SEED = 1_000_000;
const WORLD = { hours: 8, lines: 20, visitorsPerHour: 10_000 };
const QUIET = { hours: 8, lines: 20, visitorsPerHour: 600 };
const MAX_BIAS_POINTS = 0.3;
/** 95 % of a normal distribution lie within this many standard deviations. */
const SURE = 1.96;

/** The history of the console, beside what really happened in the steering's simulated world. */
export const uptime: Bench = {
  title: `uptime as visitors met it, beside the simulated truth: ${WORLD.lines} lines, ${WORLD.hours} hours`,
  /** `--only 3,7` simulates these seeds instead of new ones. */
  async run({ only }) {
    const seeds = only?.split(',').map(Number) ?? Array.from({ length: SEEDS }, () => randomInt(MAX_SEED));
    return [
      { what: 'seeds', measured: seeds.join(',') },
      ...compareWorlds(WORLD, seeds),
      ...compareWorlds(QUIET, seeds),
    ];
  },
};

function compareWorlds(world: typeof WORLD, seeds: readonly number[]): readonly Claim[] {
  const days = seeds.map((seed) => simulateUptime({ seed, ...world }));
  const known = days.reduce((sum, day) => sum + day.known, 0) / days.length;
  const visitors = `${world.visitorsPerHour.toLocaleString('en')} visitors an hour`;
  return [
    describeBias(
      `${visitors}: a line`,
      days.flatMap(({ lines }) => lines),
    ),
    describeBias(
      `${visitors}: the site`,
      days.map(({ site }) => site),
    ),
    { what: `${visitors}: minutes that are known of a line`, measured: `${(known * 100).toFixed(1)} %` },
  ];
}

/** Points are percentage points. The interval holds the true bias in 95 of 100 runs. */
function describeBias(what: string, all: readonly Compared[]): Claim {
  const errors = all.map(({ said, truth }) => said - truth);
  const bias = mean(errors);
  const variance = mean(errors.map((error) => (error - bias) ** 2)) * (errors.length / (errors.length - 1));
  const interval = SURE * Math.sqrt(variance / errors.length);
  const largest = Math.max(...errors.map(Math.abs));
  return {
    what,
    measured: [
      `bias ${bias.toFixed(2)} ± ${interval.toFixed(2)} points`,
      `so at most ${(Math.abs(bias) + interval).toFixed(2)} in 95 of 100 runs`,
      `said ${mean(all.map(({ said }) => said)).toFixed(2)} %, true ${mean(all.map(({ truth }) => truth)).toFixed(2)} %`,
      `the largest error of ${errors.length} is ${largest.toFixed(2)}`,
    ].join('; '),
    bound: { text: `≤ ${MAX_BIAS_POINTS} points`, isMet: Math.abs(bias) <= MAX_BIAS_POINTS },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
