import { SPEED_CHECK_TIMEOUT_MS } from '../../src/contract/limits.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import { NO_UPTIME, type UptimeSums, WHOLE_SITE, partOfVisitors } from '../../src/contract/uptime.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { createArea } from '../../src/server/learning/area.ts';
import { countReport } from '../../src/server/learning/count-report.ts';
import { addCounts, createCounts, openTally } from '../../src/server/learning/counts.ts';
import { type MinuteBook, createMinuteBook } from '../../src/server/uptime/create-minute-book.ts';
import { addSums } from '../../src/server/uptime/create-uptime-store.ts';
import { type Luck, createLuck } from '../steering/create-luck.ts';
import { type World, createWorld } from '../steering/create-world.ts';
import { createMeasured } from '../steering/policies.ts';
import { type Visit, performVisit } from '../steering/visit.ts';

const WINDOW_MS = 10_000;
/** The server probes every 30 s. */
const PROBE_EVERY_WINDOWS = 3;
const REPORTS_LOST = 0.15;
/** A visitor who gets no answer gives up after this time, on average. Their page tells that nothing has answered yet. */
const PATIENCE_MS = 8_000;
/** Every four hours a fifth of all networks loses everything for ten minutes, and every eight hours everybody does, for three. */
const PARTIAL = { everyMs: 4 * HOUR_MS, forMs: 10 * MINUTE_MS, ofNetworks: 5 };
const TOTAL = { everyMs: 8 * HOUR_MS, forMs: 3 * MINUTE_MS };
const PREFIXES = 64;
/** Which random number is drawn, see `visit.ts`. */
const [PREFIX, PATIENCE] = [-3, -4];

const NO_TRUTH = { minutes: 0, leftOut: 0, visited: 0, good: 0 };

export type UptimeSettings = {
  readonly seed: number;
  readonly hours: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
};

/** What the product says of a line, or of the site, beside what was true. Both are percentages. */
export type Compared = { readonly said: number; readonly truth: number };

export type SimulatedUptime = {
  readonly lines: readonly Compared[];
  readonly site: Compared;
  /** The part of all minutes that the product knows of a line, on average. */
  readonly known: number;
};

/**
 * Lets visitors of the steering's world come for some hours. The truth about a line in a minute is the part of its visitors whom it would
 * have answered, including those whose report was lost and those who left before. It is 0 if the line was down, because then nobody was
 * handed it.
 */
export function simulateUptime({ seed, hours, lines, visitorsPerHour }: UptimeSettings): SimulatedUptime {
  let time = 0;
  const world = loseSite(createWorld(lines, seed), () => time);
  const drawLoss = createRandom(seed + 200);
  let draw = createRandom(seed);
  const policy = createMeasured(world, () => draw());
  const ids = Array.from({ length: lines }, (_, line) => `line${line}`);
  const book = createMinuteBook();
  const isDown = (id: string) => !world.isLineUp(Number(id.slice('line'.length)));
  const { meet, endMinute, compare, countKnown } = createComparison(ids, { book, isDown });
  let visitors = 0;
  let due = 0;

  for (let window = 0; window * WINDOW_MS < hours * HOUR_MS; window += 1) {
    if (window % PROBE_EVERY_WINDOWS === 0) policy.probeLines();
    const counts = createCounts();
    for (due += (visitorsPerHour * WINDOW_MS) / HOUR_MS; due >= 1; due -= 1) {
      visitors += 1;
      const network = world.drawNetwork();
      const luck = createLuck(seed, visitors);
      const caller = { network, prefix: Math.floor(luck.draw(PREFIX) * PREFIXES) };
      draw = createRandom(seed + visitors);
      const picked = policy.pick(caller);
      const visit = giveUp(performVisit(world, network, picked, luck), luck);
      meet(WHOLE_SITE, !visit.isLeftStanding);
      for (const line of picked) {
        const { kind, timeMs } = world.probe(network, line, luck);
        meet(`line${line}`, kind === 'valid' && timeMs <= SPEED_CHECK_TIMEOUT_MS);
      }
      counts.site.hostnameCalls += 1;
      for (const line of picked) openTally(counts, `line${line}`).handedOut += 1;
      if (drawLoss() < REPORTS_LOST) continue;
      policy.learn(caller, picked, visit.report);
      const area = createArea(`C${world.countryOf(network)}`, `AS${network}`);
      const lineIds = picked.map((line) => `line${line}`);
      addCounts(
        counts,
        countReport({
          ...visit.report,
          area,
          prefix: `${network}.${caller.prefix}`,
          lineIds,
          stayedMs: visit.stayedMs,
        }),
      );
    }
    const now = (time = (window + 1) * WINDOW_MS);
    policy.endWindow(now);
    book.addWindow(counts, now);
    world.advance(WINDOW_MS);
    if (now % MINUTE_MS === 0) endMinute(now / MINUTE_MS - 1);
  }
  const minutes = (hours * HOUR_MS) / MINUTE_MS;
  return {
    lines: ids.map(compare),
    site: compare(WHOLE_SITE),
    known: countKnown() / minutes / lines,
  };
}

type Comparison = {
  /** Notes a visitor of a line, or of the site, and whether they got in. */
  readonly meet: (id: string, isIn: boolean) => void;
  /** Adds what the book says of a minute, and what was true in it. */
  readonly endMinute: (minute: number) => void;
  readonly compare: (id: string) => Compared;
  /** The minutes that the product knows of all lines together. */
  readonly countKnown: () => number;
};

/** Holds what the product says against what is true. */
function createComparison(
  ids: readonly string[],
  { book, isDown }: { readonly book: MinuteBook; readonly isDown: (id: string) => boolean },
): Comparison {
  const said = new Map<string, UptimeSums>();
  const truth = new Map([WHOLE_SITE, ...ids].map((id) => [id, { ...NO_TRUTH }]));
  let met = new Map<string, { visits: number; gotIn: number }>();

  return {
    meet: (id, isIn) => {
      const seen = met.get(id) ?? { visits: 0, gotIn: 0 };
      met.set(id, seen);
      seen.visits += 1;
      if (isIn) seen.gotIn += 1;
    },
    endMinute: (minute) => {
      book.noteStates(minute, new Map(ids.map((id) => [id, { isDown: isDown(id), isHandedOut: true }])));
      for (const { sums } of book.list(minute - 1, minute))
        for (const [id, added] of sums) said.set(id, addSums(said.get(id) ?? NO_UPTIME, added));
      book.forget(minute);
      for (const [id, sum] of truth) {
        const seen = met.get(id);
        sum.minutes += 1;
        if (seen === undefined) sum.leftOut += id !== WHOLE_SITE && isDown(id) ? 1 : 0;
        else {
          sum.visited += 1;
          sum.good += seen.gotIn / seen.visits;
        }
      }
      met = new Map();
    },
    compare: (id) => {
      const { minutes, leftOut, visited, good } = truth.get(id) ?? NO_TRUTH;
      const part = partOfVisitors(said.get(id) ?? NO_UPTIME) ?? Number.NaN;
      return { said: part * 100, truth: (1 - leftOut / minutes) * (good / visited) * 100 };
    },
    countKnown: () =>
      ids.map((id) => said.get(id) ?? NO_UPTIME).reduce((sum, line) => sum + line.known + line.leftOut, 0),
  };
}

/** A world in which the whole site is lost now and then, the backups included. */
function loseSite(world: World, now: () => number): World {
  return {
    ...world,
    probe: (network, host, luck) => {
      const isPartial = now() % PARTIAL.everyMs < PARTIAL.forMs && network % PARTIAL.ofNetworks === 0;
      const isTotal = (now() + TOTAL.everyMs / 2) % TOTAL.everyMs < TOTAL.forMs;
      return isPartial || isTotal ? { kind: 'silent', timeMs: Infinity } : world.probe(network, host, luck);
    },
  };
}

/** A visitor who gets no answer may leave before all probes have failed. */
function giveUp(visit: Visit, luck: Luck): Visit {
  const patienceMs = -Math.log(1 - luck.draw(PATIENCE)) * PATIENCE_MS;
  if (!visit.isLeftStanding || patienceMs >= visit.stayedMs) return visit;
  const results = visit.report.results.map((result) =>
    result.outcome === 'timeout'
      ? { ...result, outcome: 'open' as const, time: Math.round(patienceMs) }
      : result,
  );
  return { ...visit, stayedMs: patienceMs, report: { ...visit.report, results } };
}
