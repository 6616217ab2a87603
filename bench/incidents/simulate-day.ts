import { type Incident, listLasting } from '../../src/contract/incidents.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { EMPTY_MEMORY, followConditions } from '../../src/server/incidents/follow-conditions.ts';
import { observeLines } from '../../src/server/incidents/observe-lines.ts';
import { isLate } from '../../src/server/learning/count-report.ts';
import { findLineLoss } from '../../src/server/learning/losses/judge-losses.ts';
import { findSlowLine } from '../../src/server/learning/losses/slow-lines.ts';
import type { LineState } from '../../src/server/lines/line-state.ts';
import { createLuck } from '../steering/create-luck.ts';
import { createMeasured } from '../steering/policies.ts';
import { performVisit } from '../steering/visit.ts';
import { createWorld } from '../steering/create-world.ts';
import { judgeIncidents } from './judge-incidents.ts';
import { type Slowdown, slowDown } from './slow-down.ts';
import { type MetOutage, trackOutages } from './track-outages.ts';
import { watchLines } from './watch-lines.ts';

const WINDOW_MS = 10_000;
const WATCH_STEP_MS = 5_000;
const CALM_MS = MINUTE_MS;
const REPORTS_LOST = 0.15;
/** 5 % of the visitors close the page at once. They may have met an outage, but their page reports nothing. */
const CLOSED_AT_ONCE = 0.05;
const PREFIXES = 64;
const PREFIX = -3;
const CLOSED = -4;
/** From the middle of the day on, a fifth of all probes of the last line fails, everywhere. */
const WEAK_PART = 0.2;

export type DaySettings = {
  readonly seed: number;
  readonly hours: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
};

export type Day = {
  readonly outages: readonly MetOutage[];
  readonly slowdowns: readonly Slowdown[];
  /** From when a line began to be weak to its incident, in ms. Undefined if there was none. */
  readonly weakNoticeMs: number | undefined;
  /** What each incident said that was not so. */
  readonly falseIncidents: readonly string[];
  readonly incidents: number;
};

/** Lets visitors of the steering's world come for some hours, and compares the incidents with what really happened. */
export async function simulateDay({ seed, hours, lines, visitorsPerHour }: DaySettings): Promise<Day> {
  const world = createWorld(lines, seed);
  const drawLoss = createRandom(seed + 200);
  let draw = createRandom(seed);
  const policy = createMeasured(world, () => draw());
  const table = Array.from({ length: lines }, (_, line) => ({
    id: `line${line}`,
    host: `line${line}.example`,
  }));
  const watch = watchLines({
    hosts: table.map(({ host }) => host),
    isUp: (host) => world.isLineUp(Number(host.slice('line'.length, -'.example'.length))),
    setDown: (down) =>
      policy.setDown(new Set(table.filter(({ host }) => down.has(watch.idOf(host))).map(({ id }) => id))),
    random: createRandom(seed + 300),
  });
  const groups = { lines: new Set(table.map(({ id }) => `line/${id}`)), shared: new Map() };
  const outages = trackOutages(world);
  const slowdowns = slowDown(world);
  let memory = EMPTY_MEMORY;
  let incidents: readonly Incident[] = [];
  let visitors = 0;
  let opened = 0;
  let due = 0;
  const weak = { line: lines - 1, fromMs: (hours * HOUR_MS) / 2 };
  const isPartlyLost = (lineId: string) => policy.losses().partial.get(lineId)?.isLost ?? false;
  const judge = judgeIncidents({ outages, slowdowns, weak, isPartlyLost });

  for (let window = 0; window * WINDOW_MS < hours * HOUR_MS; window += 1) {
    const time = window * WINDOW_MS;
    outages.advance(time);
    slowdowns.advance(time);
    if (time >= weak.fromMs) world.weaken(weak.line, WEAK_PART);
    for (due += (visitorsPerHour * WINDOW_MS) / HOUR_MS; due >= 1; due -= 1) visit(time);
    const now = time + WINDOW_MS;
    policy.endWindow(now);
    for (let at = time + WATCH_STEP_MS; at <= now; at += WATCH_STEP_MS) await watch.passTo(at);
    follow(now);
    world.advance(WINDOW_MS);
  }
  watch.close();
  return {
    outages: outages.list(hours * HOUR_MS),
    slowdowns: slowdowns.list(),
    weakNoticeMs: judge.weakNoticeMs(),
    falseIncidents: judge.falseIncidents().map((what) => `${what} of seed ${seed}`),
    incidents: opened,
  };

  function visit(now: number): void {
    const network = world.drawNetwork();
    visitors += 1;
    const luck = createLuck(seed, visitors);
    const caller = { network, prefix: Math.floor(luck.draw(PREFIX) * PREFIXES) };
    const isLost = drawLoss() < REPORTS_LOST || luck.draw(CLOSED) < CLOSED_AT_ONCE;
    draw = createRandom(seed + visitors);
    const picked = policy.pick(caller);
    const { report } = performVisit(world, network, picked, luck);
    if (!isLost) policy.learn(caller, picked, report);
    for (const result of report.results) {
      const line = picked[result.index];
      if (line === undefined) continue;
      if (result.outcome === 'valid') {
        slowdowns.reach(network, line);
        continue;
      }
      const isTold = !isLost && (result.outcome !== 'open' || isLate(result, report.results));
      outages.meet(network, line, { isTold, now });
    }
  }

  function follow(now: number): void {
    const states = new Map<string, LineState>();
    for (const { id, host } of table) {
      const state = watch.states().get(watch.idOf(host));
      if (state !== undefined) states.set(id, state);
    }
    const sightings = observeLines({
      lines: table,
      backups: [],
      states,
      cutOff: watch.cutOff(),
      findLoss: (id, question) => findLineLoss(policy.losses(), id, question),
      findSlow: (id) => findSlowLine(policy.losses().paces, id, now),
      countLost: () => 0,
      portal: 'bench',
      now,
    });
    let next = opened;
    const followed = followConditions(incidents, memory, {
      sightings,
      now,
      calmMs: CALM_MS,
      createId: () => String((next += 1)),
      groups,
    });
    opened = next;
    ({ incidents, memory } = followed);
    for (const incident of incidents)
      if (incident.endedAt === null)
        for (const part of listLasting(incident)) judge.judge(part, incident.id, now);
    incidents = incidents.filter(({ endedAt }) => endedAt === null || endedAt > now - HOUR_MS);
  }
}
