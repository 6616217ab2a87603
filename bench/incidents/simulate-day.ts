import { type Incident, type IncidentPart, listLasting } from '../../src/contract/incidents.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import type { LineReply } from '../../src/contract/line/line-reply.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { EMPTY_MEMORY, followConditions } from '../../src/server/incidents/follow-conditions.ts';
import { observeLines } from '../../src/server/incidents/observe-lines.ts';
import { isLate } from '../../src/server/learning/count-report.ts';
import { findLineLoss } from '../../src/server/learning/losses/judge-losses.ts';
import { type LineState, isNothingReached } from '../../src/server/lines/line-state.ts';
import { createLuck } from '../steering/create-luck.ts';
import { createMeasured } from '../steering/policies.ts';
import { performVisit } from '../steering/visit.ts';
import { createWorld } from '../steering/create-world.ts';
import { type MetOutage, trackOutages } from './track-outages.ts';

const WINDOW_MS = 10_000;
/** The server probes every 30 s, and asks twice more, 5 s apart, before it is sure. */
const PROBE_EVERY_WINDOWS = 3;
const SURE_AFTER_WINDOWS = 1;
const CALM_MS = MINUTE_MS;
const REPORTS_LOST = 0.15;
const PREFIXES = 64;
const PREFIX = -3;
const ANSWER: LineReply = { kind: 'answer', status: 200, headers: {}, timeMs: 1, certificate: undefined };
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
  /** From when a line began to be weak to its incident, in ms. Undefined if there was none. */
  readonly weakNoticeMs: number | undefined;
  /** What each incident said that was not out. */
  readonly falseIncidents: readonly string[];
  readonly incidents: number;
};

/** Lets visitors of the steering's world come for some hours, and compares the incidents with what really happened. */
export function simulateDay({ seed, hours, lines, visitorsPerHour }: DaySettings): Day {
  const world = createWorld(lines, seed);
  const drawLoss = createRandom(seed + 200);
  let draw = createRandom(seed);
  const policy = createMeasured(world, () => draw());
  const table = Array.from({ length: lines }, (_, line) => ({
    id: `line${line}`,
    host: `line${line}.example`,
  }));
  const states = new Map<string, LineState>();
  const outages = trackOutages(world);
  let memory = EMPTY_MEMORY;
  let incidents: readonly Incident[] = [];
  let visitors = 0;
  const falseIncidents: string[] = [];
  let opened = 0;
  let due = 0;
  const weakLine = lines - 1;
  const weakFromMs = (hours * HOUR_MS) / 2;
  let weakNoticeMs: number | undefined;
  const judged = new Set<string>();

  for (let window = 0; window * WINDOW_MS < hours * HOUR_MS; window += 1) {
    const time = window * WINDOW_MS;
    outages.advance(time);
    if (time >= weakFromMs) world.weaken(weakLine, WEAK_PART);
    if (window % PROBE_EVERY_WINDOWS === 0) policy.probeLines();
    for (due += (visitorsPerHour * WINDOW_MS) / HOUR_MS; due >= 1; due -= 1) {
      const network = world.drawNetwork();
      const isLost = drawLoss() < REPORTS_LOST;
      visitors += 1;
      const luck = createLuck(seed, visitors);
      const caller = { network, prefix: Math.floor(luck.draw(PREFIX) * PREFIXES) };
      draw = createRandom(seed + visitors);
      const picked = policy.pick(caller);
      const { report } = performVisit(world, network, picked, luck);
      if (isLost) continue;
      policy.learn(caller, picked, report);
      for (const result of report.results) {
        const line = picked[result.index];
        if (line === undefined || result.outcome === 'valid') continue;
        const isTold = result.outcome !== 'open' || isLate(result, report.results);
        outages.meet(network, line, { isTold, now: time });
      }
    }
    const now = time + WINDOW_MS;
    policy.endWindow(now);
    if (window % PROBE_EVERY_WINDOWS === SURE_AFTER_WINDOWS) probe(now);
    const sightings = observeLines({
      lines: table,
      backups: [],
      states,
      cutOff: isNothingReached([...states.values()]) ? 'visitors' : undefined,
      findLoss: (id, question) => findLineLoss(policy.losses(), id, question),
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
    });
    opened = next;
    ({ incidents, memory } = followed);
    for (const incident of incidents)
      if (incident.endedAt === null) for (const part of listLasting(incident)) judge(part, incident.id, now);
    incidents = incidents.filter(({ endedAt }) => endedAt === null || endedAt > now - HOUR_MS);
    world.advance(WINDOW_MS);
  }
  return { outages: outages.list(hours * HOUR_MS), weakNoticeMs, falseIncidents, incidents: opened };

  function probe(now: number): void {
    for (const { id, host } of table) {
      const condition = world.isLineUp(Number(id.slice(4))) ? 'up' : 'down';
      const last = states.get(id);
      states.set(id, {
        host,
        role: 'line',
        condition,
        seen: condition,
        health: undefined,
        since: last?.condition === condition ? last.since : now,
        recoveredAt: last?.condition === 'down' && condition === 'up' ? now : last?.recoveredAt,
        checkedAt: now,
        settled: condition,
        streak: 3,
        addresses: [
          {
            address: `https://${host}`,
            reply: condition === 'up' ? ANSWER : { kind: 'timeout' },
            faults: [],
            pageFault: undefined,
          },
        ],
      });
    }
  }

  /** Each place that an incident names must really have had an outage. */
  function judge({ cause, kind, affected }: IncidentPart, id: string, now: number): void {
    const line = Number(cause.slice('line/line'.length));
    const isWeak = line === weakLine && now > weakFromMs;
    const isPartlyLost = policy.losses().partial.get(cause.slice('line/'.length))?.isLost ?? false;
    if (isWeak && isPartlyLost) weakNoticeMs ??= now - weakFromMs;
    // The kind of an incident stays the worst that it was, but the places are those of now.
    for (const place of affected.length > 0 ? affected : ['']) {
      const key = `${id} ${cause} ${kind} ${place}`;
      if (!outages.notice(place, line, now) && !isWeak && !judged.has(key))
        falseIncidents.push(
          `line ${line} in ${place || 'all networks'} at ${(now / HOUR_MS).toFixed(1)} h of seed ${seed}`,
        );
      judged.add(key);
    }
  }
}
