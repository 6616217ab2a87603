import type { Incident } from '../../src/contract/incidents.ts';
import type { LineReply } from '../../src/contract/line/line-reply.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { EMPTY_MEMORY, followConditions } from '../../src/server/incidents/follow-conditions.ts';
import { observeLines } from '../../src/server/incidents/observe-lines.ts';
import { createNetworkWatch } from '../../src/server/incidents/watch-networks.ts';
import { createPartialLossWatch } from '../../src/server/incidents/watch-partial-losses.ts';
import type { Counts } from '../../src/server/learning/counts.ts';
import type { LineState } from '../../src/server/lines/line-state.ts';
import { createLuck } from '../steering/luck.ts';
import { createMeasured } from '../steering/policies.ts';
import { performVisit } from '../steering/visit.ts';
import { type World, createWorld } from '../steering/world.ts';

const WINDOW_MS = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The server probes every 30 s, and asks twice more, 5 s apart, before it is sure. */
const PROBE_EVERY_WINDOWS = 3;
const SURE_AFTER_WINDOWS = 1;
const CALM_MS = MINUTE_MS;
const REPORTS_LOST = 0.15;
const PREFIXES = 64;
const PREFIX = -3;
const ANSWER: LineReply = { kind: 'answer', status: 200, headers: {}, timeMs: 1, certificate: undefined };
/** An outage counts if it lasts this long, and so many visitors tell of it. */
const MIN_OUTAGE_MS = 5 * MINUTE_MS;
const MIN_VISITORS = 12;
/** What was lost this long ago may still be open: few visitors are sent there who could tell that it is back. */
const STALE_MS = 40 * MINUTE_MS;

/** A line is down, or degraded, if at least this part of all networks has lost it. */
const MIN_PART_OF_ALL = 1 / 3;
/** From the middle of the day on, this part of all probes of the last line fails, everywhere. */
const WEAK_PART = 0.2;

export type Day = {
  /** The outages that had to be found, and how many of them were. */
  readonly outages: number;
  readonly found: readonly FoundOutage[];
  /** From when a line began to be weak to its incident, in ms. Undefined if there was none. */
  readonly weakNoticeMs: number | undefined;
  readonly falseIncidents: number;
  readonly incidents: number;
};

export type FoundOutage = {
  readonly kind: OutageKind;
  /** From the beginning of the outage to the incident. */
  readonly noticeMs: number;
  /** From the first visitor who met the outage to the incident. */
  readonly noticeAfterMetMs: number;
  /** Until the incident: visitors who did not reach the line, and those of them whose page told that it failed. */
  readonly met: number;
  readonly told: number;
  /** From the first visitor who met the outage until four pages had told of it. */
  readonly fourToldMs: number;
};

/** An incident of an outage, before it is known when the fourth page told of it. */
type Notice = Omit<FoundOutage, 'fourToldMs'>;

/** A line is out for everyone, in a country, or in one network. */
export type OutageKind = 'host' | 'country' | 'network';

/** A stretch in which nobody, or nobody of a country or network, can reach a line. */
type Outage = {
  readonly kind: OutageKind;
  readonly startedAt: number;
  /** Visitors whose probe failed, or was still open when they left. */
  firstMetAt: number | undefined;
  met: number;
  /** Visitors whose page told that it failed. */
  told: number;
  fourToldAt: number | undefined;
  notice: Notice | undefined;
};

/** Lets visitors of the steering's world come for some hours, and compares the incidents with what really happened. */
export function simulateDay({
  seed,
  hours,
  lines,
  visitorsPerHour,
}: {
  readonly seed: number;
  readonly hours: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
}): Day {
  const world = createWorld(lines, seed);
  const watch = createNetworkWatch();
  const partialWatch = createPartialLossWatch();
  const drawLoss = createRandom(seed + 200);
  let draw = createRandom(seed);
  let windowCounts: Counts | undefined;
  const policy = createMeasured(world, () => draw(), { onWindow: (counts) => void (windowCounts = counts) });
  const table = Array.from({ length: lines }, (_, line) => ({
    id: `line${line}`,
    host: `line${line}.example`,
  }));
  const states = new Map<string, LineState>();
  const outages = createOutages(world);
  let memory = EMPTY_MEMORY;
  let incidents: readonly Incident[] = [];
  let visitors = 0;
  let falseIncidents = 0;
  let opened = 0;
  let due = 0;
  const weakLine = lines - 1;
  const weakFromMs = (hours * HOUR_MS) / 2;
  let weakNoticeMs: number | undefined;
  const judged = new Set<string>();

  for (let window = 0; window * WINDOW_MS < hours * HOUR_MS; window += 1) {
    const time = window * WINDOW_MS;
    outages.begin(time);
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
      for (const { index, outcome } of report.results) {
        const line = picked[index];
        if (line !== undefined && outcome !== 'valid') outages.meet(network, line, { outcome, now: time });
      }
    }
    const now = time + WINDOW_MS;
    policy.endWindow(now);
    if (windowCounts) for (const each of [watch, partialWatch]) each.addWindow(windowCounts, now);
    if (window % PROBE_EVERY_WINDOWS === SURE_AFTER_WINDOWS) probe(now);
    const sightings = observeLines({
      lines: table,
      backups: [],
      states,
      losses: watch.losses(now),
      partialLosses: partialWatch.losses(),
      countNetworks: (id) => watch.countNetworks(id, now),
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
    for (const incident of incidents) if (incident.endedAt === null) judge(incident, now);
    incidents = incidents.filter(({ endedAt }) => endedAt === null || endedAt > now - HOUR_MS);
    world.advance(WINDOW_MS);
  }
  return { ...outages.sumUp(hours * HOUR_MS), weakNoticeMs, falseIncidents, incidents: opened };

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
        recoveredAt: undefined,
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
  function judge({ cause, kind, affected, id }: Incident, now: number): void {
    const line = Number(cause.slice('line/line'.length));
    const isWeak = line === weakLine && now > weakFromMs;
    const isPartlyLost = partialWatch.losses().some(({ lineId }) => cause === `line/${lineId}`);
    if (isWeak && isPartlyLost) weakNoticeMs ??= now - weakFromMs;
    // The kind of an incident stays the worst that it was, but the places are those of now.
    for (const place of affected.length > 0 ? affected : ['']) {
      const key = `${id} ${kind} ${place}`;
      if (!outages.notice(place, line, now) && !isWeak && !judged.has(key)) falseIncidents += 1;
      judged.add(key);
    }
  }
}

type Outages = {
  readonly begin: (now: number) => void;
  /** A visitor has not reached a line. */
  readonly meet: (
    network: number,
    line: number,
    met: { readonly outcome: string; readonly now: number },
  ) => void;
  /** An incident names this place: a network, a country, or nothing for everyone. Returns whether it is true. */
  readonly notice: (place: string, line: number, now: number) => boolean;
  readonly sumUp: (end: number) => Pick<Day, 'outages' | 'found'>;
};

/** Keeps what really happened: each outage of the world's script, from when to when, and who met it. */
function createOutages(world: World): Outages {
  const open = new Map<string, Outage>();
  const over: (Outage & { readonly endedAt: number })[] = [];
  const networks = Array.from({ length: world.networks }, (_, network) => network);
  /** When each network last could not reach each line. */
  const lostAt = new Float64Array(world.networks * world.lines).fill(-Infinity);
  const keys = new Map<number, string>();

  return {
    begin: (now) => {
      const current = new Set<string>();
      for (let line = 0; line < world.lines; line += 1) {
        for (const network of networks) {
          const key = findKey(network, line);
          if (key === undefined) continue;
          lostAt[network * world.lines + line] = now;
          current.add(key);
          if (!open.has(key)) {
            open.set(key, {
              kind: world.findOutage(network, line) ?? 'network',
              startedAt: now,
              firstMetAt: undefined,
              met: 0,
              told: 0,
              fourToldAt: undefined,
              notice: undefined,
            });
          }
        }
      }
      for (const [key, outage] of open) {
        if (current.has(key)) continue;
        open.delete(key);
        over.push({ ...outage, endedAt: now });
      }
    },
    meet: (network, line, { outcome, now }) => {
      const outage = open.get(findKey(network, line) ?? '');
      if (outage === undefined) return;
      outage.firstMetAt ??= now;
      outage.met += 1;
      if (outcome !== 'open') outage.told += 1;
      if (outage.told === 4) outage.fourToldAt ??= now + WINDOW_MS;
    },
    notice: (place, line, now) => {
      const [country = '', name = ''] = place.split('/');
      const there = name === '' ? networks.filter((each) => isIn(each, country)) : [Number(name.slice(2))];
      const lost = there.filter((network) => (lostAt[network * world.lines + line] ?? 0) > now - STALE_MS);
      // A network is lost or not; a country is if several of its networks are, and a line if many networks are.
      const enough = country === '' ? there.length * MIN_PART_OF_ALL : Math.min(2, there.length);
      const isTrueNow = lost.filter((network) => findKey(network, line) !== undefined).length >= enough;
      for (const network of isTrueNow ? lost : []) {
        const outage = open.get(findKey(network, line) ?? '');
        if (outage?.firstMetAt !== undefined) outage.notice ??= describeNotice(outage, now);
      }
      return lost.length >= enough;
    },
    sumUp: (end) => {
      for (const outage of open.values()) over.push({ ...outage, endedAt: end });
      const counted = over.filter(
        ({ startedAt, endedAt, told }) => endedAt - startedAt >= MIN_OUTAGE_MS && told >= MIN_VISITORS,
      );
      return {
        outages: counted.length,
        found: counted.flatMap(({ notice, fourToldAt = end, firstMetAt = end }) =>
          notice === undefined ? [] : [{ ...notice, fourToldMs: fourToldAt - firstMetAt }],
        ),
      };
    },
  };

  function isIn(network: number, country: string): boolean {
    return country === '' || `C${world.countryOf(network)}` === country;
  }

  /** Made once for each: this is asked a hundred million times a day. */
  function findKey(network: number, line: number): string | undefined {
    const outage = world.findOutage(network, line);
    if (outage === undefined) return undefined;
    const place = { host: 0, country: 1 + world.countryOf(network), network: 1_000 + network }[outage];
    const number = place * world.lines + line;
    let key = keys.get(number);
    if (key === undefined) keys.set(number, (key = `${outage} ${place} ${line}`));
    return key;
  }
}

function describeNotice({ kind, startedAt, firstMetAt, met, told }: Outage, now: number): Notice {
  return {
    kind,
    noticeMs: now - startedAt,
    noticeAfterMetMs: Math.max(0, now - (firstMetAt ?? now)),
    met,
    told,
  };
}
