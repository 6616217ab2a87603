import type { MeasurementReport } from '../../src/contract/api/measurement-report.ts';
import { countReport } from '../../src/server/learning/count-report.ts';
import { addCounts, addVisits, createCounts, openTally } from '../../src/server/learning/counts.ts';
import { createRateLimiter } from '../../src/server/http/create-rate-limiter.ts';
import { createArea } from '../../src/server/learning/area.ts';
import { type Steering, createSteering } from '../../src/server/learning/create-steering.ts';
import type { Losses } from '../../src/server/learning/losses/judge-losses.ts';
import { findFavourite, findLnLoads, trackShares } from '../../src/server/learning/score.ts';
import type { World } from './create-world.ts';

/** Who calls: a network of the world, a /24 in it, and a person who comes again and again. */
export type Caller = { readonly network: number; readonly prefix: number; readonly person?: number };

/** A way to choose four lines. */
export type Policy = {
  readonly pick: (caller: Caller) => readonly number[];
  /** The line that a caller entered last, where that is remembered. */
  readonly findHeld?: (caller: Caller) => number | undefined;
  /** The place of the line that is believed to win, among those that were picked. Undefined where nothing is believed. */
  readonly findFavourite: (caller: Caller, picked: readonly number[]) => number | undefined;
  /** A report has arrived. */
  readonly learn: (
    caller: Caller,
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

/** The limits of the product, for one prefix. */
const REPORTS = { limit: () => 10, windowMs: 300_000 };
const VISITS = { limit: () => 10, windowMs: 120_000 };

/** The product, and what it has learned about the lines that visitors lose. */
export type Measured = Policy & {
  readonly losses: () => Losses;
  /** The server's own watch says which lines are down. */
  readonly setDown: Steering['setDown'];
};

/** The product's own code, fed as the server feeds it, with sticky lines or without. */
export function createMeasured(
  world: World,
  random: () => number,
  { isSticky = false }: { readonly isSticky?: boolean } = {},
): Measured {
  const heldLines = new Map<string, number>();
  const findHeld = (caller: Caller): number | undefined => heldLines.get(nameCaller(caller));
  let time = 0;
  const now = (): number => time;
  const steering = createSteering({ random, now });
  const lines = Array.from({ length: world.lines }, (_, line) => ({ id: `line${line}`, weight: 1 }));
  steering.setLines(lines, 'measured');
  const areas = Array.from({ length: world.networks }, (_, network) =>
    createArea(`C${world.countryOf(network)}`, `AS${network}`),
  );
  const reportLimiter = createRateLimiter({ ...REPORTS, now });
  const visitLimiter = createRateLimiter({ ...VISITS, now });
  let counts = createCounts();
  const areaOf = ({ network }: Caller): string => areas[network] ?? '';
  const idOf = (line: number): string => lines[line]?.id ?? '';
  return {
    findHeld,
    losses: () => steering.knowledge().losses,
    setDown: steering.setDown,
    pick: (caller) => {
      const picked = steering.pick(areaOf(caller), { held: findHeld(caller) });
      if (!visitLimiter.consume(prefixOf(caller)).isAllowed) return picked;
      for (const [place, part] of steering.shareOut(areaOf(caller), picked).entries()) {
        addVisits(openTally(counts, idOf(picked[place] ?? -1)), part);
      }
      return picked;
    },
    findFavourite: (caller, picked) => findFavourite(steering.shareOut(areaOf(caller), picked)),
    learn: (caller, picked, report) => {
      const entered = picked[report.entered ?? -1];
      if (isSticky && entered !== undefined) heldLines.set(nameCaller(caller), entered);
      if (!reportLimiter.consume(prefixOf(caller)).isAllowed) return;
      const lineIds = picked.map(idOf);
      addCounts(counts, countReport({ ...report, area: areaOf(caller), prefix: prefixOf(caller), lineIds }));
    },
    endWindow: (at) => {
      time = at;
      steering.fold(counts, at);
      counts = createCounts();
    },
    probeLines: () =>
      steering.setDown(new Set(lines.filter((_, line) => !world.isLineUp(line)).map(({ id }) => id))),
  };
}

function nameCaller({ network, person }: Caller): string {
  return `${network} ${person}`;
}

function prefixOf({ network, prefix }: Caller): string {
  return `${network}.${prefix}`;
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
    findFavourite: () => undefined,
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
  const weights = Array.from({ length: world.lines }, () => 1 / world.lines);
  let shares: readonly number[] = weights;
  let entries = weights.map(() => 0);
  let lnLoads = findLnLoads(shares, weights);
  return {
    pick: ({ network }) => {
      const best: { readonly line: number; readonly cost: number }[] = [];
      for (let line = 0; line < world.lines; line += 1) {
        if (!world.isReachable(network, line)) continue;
        const cost = Math.log(world.typicalMs(network, line)) + (lnLoads[line] ?? 0);
        if (best.length === PICKS && cost >= (best.at(-1)?.cost ?? 0)) continue;
        best.push({ line, cost });
        best.sort((a, b) => a.cost - b.cost);
        best.length = Math.min(PICKS, best.length);
      }
      return best.map(({ line }) => line);
    },
    // It picks the best first.
    findFavourite: () => 0,
    learn: (_caller, picked, { entered }) => {
      const line = picked[entered ?? -1];
      if (line !== undefined) entries[line] = (entries[line] ?? 0) + 1;
    },
    endWindow: () => {
      shares = trackShares(shares, entries, WINDOW_MS);
      lnLoads = findLnLoads(shares, weights);
      entries = weights.map(() => 0);
    },
    probeLines: () => undefined,
  };
}
