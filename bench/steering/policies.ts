import { createArea } from '../../src/server/steering/area.ts';
import { createSteering } from '../../src/server/steering/create-steering.ts';
import { scoreLoads } from '../../src/server/steering/score-lines.ts';
import { trackShares } from '../../src/server/steering/track-shares.ts';
import { type Counts, addCount } from '../../src/server/measurements/counts.ts';
import { countReport } from '../../src/server/measurements/count-report.ts';
import type { Visit } from './visit.ts';
import type { World } from './world.ts';

/** A way to choose four lines. */
export type Policy = {
  readonly pick: (network: number) => readonly number[];
  /** A visit whose report arrived. */
  readonly learn: (network: number, picked: readonly number[], visit: Visit) => void;
  /** A window has ended. */
  readonly endWindow: (at: number) => void;
  /** The server has probed the lines. */
  readonly probeLines: () => void;
};

export type PolicyDeps = { readonly world: World; readonly random: () => number; readonly startAt: number };

const WINDOW_MS = 10_000;

/** The product's own code, fed as the server feeds it. */
export function createMeasured({ world, random, startAt }: PolicyDeps): Policy {
  const steering = createSteering({ random, now: () => startAt });
  const lines = Array.from({ length: world.lines }, (_, line) => ({ id: `line${line}`, weight: 1 }));
  steering.setLines(lines, 'measured');
  const areas = Array.from({ length: world.networks }, (_, network) =>
    createArea(`C${world.countryOf(network)}`, `AS${network}`),
  );
  let counts: Counts = new Map();
  return {
    pick: (network) => steering.pick(areas[network] ?? ''),
    learn: (network, picked, { report }) => {
      const lineIds = picked.map((line) => lines[line]?.id ?? '');
      countReport({ ...report, area: areas[network] ?? '', lineIds }, (row, field, amount) =>
        addCount(counts, row, field, amount),
      );
    },
    endWindow: (at) => {
      steering.fold(counts, at);
      counts = new Map();
    },
    probeLines: () =>
      steering.setDown(new Set(lines.filter((_, line) => !world.isLineUp(line)).map(({ id }) => id))),
  };
}

/** Any four, or any four of those that the server's own probe sees up. */
export function createUniform({ world, random }: PolicyDeps, isProbing: boolean): Policy {
  const all = Array.from({ length: world.lines }, (_, line) => line);
  let candidates = all;
  return {
    pick: () => drawFour(candidates, random),
    learn: () => undefined,
    endWindow: () => undefined,
    probeLines: () => {
      if (!isProbing) return;
      const up = all.filter(world.isLineUp);
      candidates = up.length < 4 ? all : up;
    },
  };
}

/** Knows what is reachable and how fast it is right now, and spreads the load by the same rule as ours. */
export function createOracle({ world }: PolicyDeps): Policy {
  const weights = new Float64Array(world.lines).fill(1 / world.lines);
  let shares: Float64Array = weights;
  let entries = new Float64Array(world.lines);
  let loads = scoreLoads(shares, weights);
  const scores = new Float64Array(world.lines);
  return {
    pick: (network) => {
      for (let line = 0; line < world.lines; line += 1) {
        scores[line] = world.isReachable(network, line) ? Math.log(world.typicalMs(network, line)) : Infinity;
      }
      return findSmallest(scores, loads);
    },
    learn: (_network, picked, { report: { entered } }) => {
      const line = entered === null ? undefined : picked[entered];
      if (line !== undefined) entries[line] = (entries[line] ?? 0) + 1;
    },
    endWindow: () => {
      shares = trackShares(shares, entries, WINDOW_MS);
      loads = scoreLoads(shares, weights);
      entries = new Float64Array(world.lines);
    },
    probeLines: () => undefined,
  };
}

function drawFour(candidates: readonly number[], random: () => number): readonly number[] {
  const pool = [...candidates];
  for (let place = 0; place < 4 && place < pool.length; place += 1) {
    const drawn = place + Math.floor(random() * (pool.length - place));
    [pool[place], pool[drawn]] = [pool[drawn] ?? 0, pool[place] ?? 0];
  }
  return pool.slice(0, 4);
}

function findSmallest(scores: Float64Array, loads: Float64Array): readonly number[] {
  const best: { readonly line: number; readonly cost: number }[] = [];
  for (let line = 0; line < scores.length; line += 1) {
    const cost = (scores[line] ?? 0) + (loads[line] ?? 0);
    if (best.length === 4 && cost >= (best[3]?.cost ?? 0)) continue;
    best.push({ line, cost });
    best.sort((a, b) => a.cost - b.cost);
    best.length = Math.min(4, best.length);
  }
  return best.map(({ line }) => line);
}
