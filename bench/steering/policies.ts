import type { MeasurementReport } from '../../src/contract/measurement-report.ts';
import { countReport } from '../../src/server/measurements/count-report.ts';
import { type Counts, addCount } from '../../src/server/measurements/counts.ts';
import { createArea } from '../../src/server/steering/area.ts';
import { createSteering } from '../../src/server/steering/create-steering.ts';
import { findLoads } from '../../src/server/steering/effective-time.ts';
import { trackShares } from '../../src/server/steering/track-shares.ts';
import type { World } from './world.ts';

/** A way to choose four lines. */
export type Policy = {
  readonly pick: (network: number) => readonly number[];
  /** A report has arrived. */
  readonly learn: (
    network: number,
    picked: readonly number[],
    report: Pick<MeasurementReport, 'results' | 'entered'>,
  ) => void;
  /** A window has ended. */
  readonly endWindow: (at: number) => void;
  /** The server has probed the lines. */
  readonly probeLines: () => void;
};

const WINDOW_MS = 10_000;
const PICKS = 4;

/** The product's own code, fed as the server feeds it. */
export function createMeasured(world: World, random: () => number): Policy {
  const steering = createSteering({ random, now: () => 0 });
  const lines = Array.from({ length: world.lines }, (_, line) => ({ id: `line${line}`, weight: 1 }));
  steering.setLines(lines, 'measured');
  const areas = Array.from({ length: world.networks }, (_, network) =>
    createArea(`C${world.countryOf(network)}`, `AS${network}`),
  );
  let counts: Counts = new Map();
  const add = (row: string, field: string, amount: number): void => addCount(counts, row, field, amount);
  return {
    pick: (network) => steering.pick(areas[network] ?? ''),
    learn: (network, picked, report) => {
      const lineIds = picked.map((line) => lines[line]?.id ?? '');
      countReport({ ...report, area: areas[network] ?? '', lineIds }, add);
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
export function createUniform(world: World, random: () => number, isProbing: boolean): Policy {
  const all = Array.from({ length: world.lines }, (_, line) => line);
  let candidates = all;
  return {
    pick: () => {
      const pool = [...candidates];
      for (let place = 0; place < PICKS && place < pool.length; place += 1) {
        const drawn = place + Math.floor(random() * (pool.length - place));
        [pool[place], pool[drawn]] = [pool[drawn] ?? 0, pool[place] ?? 0];
      }
      return pool.slice(0, PICKS);
    },
    learn: () => undefined,
    endWindow: () => undefined,
    probeLines: () => {
      const up = isProbing ? all.filter(world.isLineUp) : all;
      candidates = up.length < PICKS ? all : up;
    },
  };
}

/** Knows what is reachable and how fast it is right now, and spreads the load by the same rule as ours. */
export function createOracle(world: World): Policy {
  const weights = new Float64Array(world.lines).fill(1 / world.lines);
  let shares: Float64Array = weights;
  let entries = new Float64Array(world.lines);
  let loads = findLoads(shares, weights);
  return {
    pick: (network) => {
      const best: { readonly line: number; readonly cost: number }[] = [];
      for (let line = 0; line < world.lines; line += 1) {
        if (!world.isReachable(network, line)) continue;
        const cost = Math.log(world.typicalMs(network, line)) + (loads[line] ?? 0);
        if (best.length === PICKS && cost >= (best.at(-1)?.cost ?? 0)) continue;
        best.push({ line, cost });
        best.sort((a, b) => a.cost - b.cost);
        best.length = Math.min(PICKS, best.length);
      }
      return best.map(({ line }) => line);
    },
    learn: (_network, picked, { entered }) => {
      const line = picked[entered ?? -1];
      if (line !== undefined) entries[line] = (entries[line] ?? 0) + 1;
    },
    endWindow: () => {
      shares = trackShares(shares, entries, WINDOW_MS);
      loads = findLoads(shares, weights);
      entries = new Float64Array(world.lines);
    },
    probeLines: () => undefined,
  };
}
