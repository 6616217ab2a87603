import { pino } from 'pino';
import type { LineStatus } from '../../src/contract/console.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../src/contract/time-units.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { DEMO_LINES } from '../../src/cli/demo/demo-lines.ts';
import { type DemoNetwork, NETWORKS, findPassage } from '../../src/cli/demo/passage.ts';
import type { LineReply } from '../../src/contract/line/line-reply.ts';
import { createIncidentStore } from '../../src/server/incidents/create-incident-store.ts';
import { keepMeasurements } from '../../src/server/learning/keep-measurements.ts';
import { createSteering } from '../../src/server/learning/create-steering.ts';
import { type LineState, listWatchedLines } from '../../src/server/lines/line-state.ts';
import type { KeptIncident } from '../../src/server/messages/message.ts';
import { createMetrics } from '../../src/server/metrics/create-metrics.ts';
import { keepMoments } from '../../src/server/moments/keep-moments.ts';
import type { ConsoleSources } from '../../src/server/operator/console-sources.ts';
import { createIncidentFacts } from '../../src/server/operator/incidents/describe-incident.ts';
import { judgeLineById } from '../../src/server/operator/lines/describe-lines.ts';
import { keepLineStates } from '../../src/server/operator/lines/keep-line-states.ts';
import { createMomentTaker } from '../../src/server/operator/moments/take-moments.ts';
import { createStepWatch } from '../../src/server/process/create-step-watch.ts';
import { createLineTable } from '../../src/server/site/create-line-table.ts';
import { loadSite } from '../../src/server/site/load-site.ts';
import { openDatabase } from '../../src/server/store/open-database.ts';
import { openLastGood } from '../../src/server/store/open-last-good.ts';
import { disturbDatabase } from '../../src/server/testing/disturb-database.ts';

/** A line that was down for everyone for some minutes, this many minutes before the end. */
export type Trouble = { readonly host: string; readonly before: number; readonly minutes: number };

export const TROUBLES: readonly Trouble[] = [
  { host: 'line5.localhost', before: 1_130, minutes: 18 },
  { host: 'line3.localhost', before: 585, minutes: 25 },
  { host: 'line11.localhost', before: 40, minutes: 9 },
];
/** As many as the simulated visitors of the demo make, in the quiet night and in the evening. */
const VISITS_A_MINUTE = { least: 60, most: 140 };
const LOST_PART = 0.012;
const TIMEOUT_MS = 5_000;
/** When a moment is kept: its counts are complete then. */
const MOMENT_AFTER_MS = 25_000;
const WELL: LineReply = { kind: 'answer', status: 200, headers: {}, timeMs: 40, certificate: undefined };
const QUIET = pino({ level: 'silent' });

type DayFolders = { readonly dataDir: string; readonly siteDir: string };

/** Lets a portal live through a made-up day, up to now, in simulated time: what visitors measured, and what the console showed. */
export async function fillDay({ dataDir, siteDir }: DayFolders): Promise<void> {
  const day = await openDay({ dataDir, siteDir });
  const end = Math.floor(Date.now() / MINUTE_MS);
  await day.tellIncidents(end);
  for (let minute = end - DAY_MINUTES; (minute + 1) * MINUTE_MS + MOMENT_AFTER_MS < Date.now(); minute += 1)
    await day.passMinute(minute, end - minute);
  await day.close();
}

async function openDay({ dataDir, siteDir }: DayFolders) {
  const random = createRandom(5);
  const clock = { now: 0 };
  const now = (): number => clock.now;
  const database = disturbDatabase(await openDatabase({ dataDir, log: QUIET }), {
    now,
    fault: () => undefined,
  });
  const { site: loaded, hash } = await loadSite(siteDir);
  const lines = createLineTable(loaded.config.lines);
  const metrics = createMetrics();
  const steps = createStepWatch({ metrics, log: QUIET });
  const steering = createSteering({ random, now });
  steering.setLines(lines.lines, 'measured');
  const measurements = await keepMeasurements({
    database,
    lastGood: openLastGood({ dataDir, database, log: QUIET }),
    steering,
    metrics,
    steps,
    log: QUIET,
    now,
  });
  const probes = new Map<string, LineState>();
  const lineStates = keepLineStates();
  const moments = keepMoments({ database, steps, log: QUIET, now });
  const incidents = createIncidentStore(database);
  let made: readonly KeptIncident[] = [];
  const sources: ConsoleSources = {
    site: () => ({ version: 1, hash, config: loaded.config, lines }),
    siteRecord: () => ({ publishedAt: 0, refusal: undefined }),
    steering,
    measurements,
    lineStates,
    lineWatch: { states: () => probes, cutOff: () => undefined },
    replicas: { replicas: () => [] },
    database,
    readLimited: () => 0,
    incidents: { listOpen: () => listKnown().filter(({ endedAt }) => endedAt === null) },
    steps,
    startedAt: 0,
    now,
  };
  const takeMoment = createMomentTaker({
    ...createIncidentFacts(sources),
    sources,
    incidents: { list: listKnown },
    moments,
  });

  return {
    tellIncidents: async (end: number): Promise<void> => {
      made = TROUBLES.map((trouble) => describeTrouble(trouble, end, findId(trouble.host)));
      const changes = { incidents: [...made], forgotten: [], waiting: [], done: [] };
      await incidents.write(changes, { since: 0, at: Date.now() });
    },
    /** A minute that is this many minutes before the end. */
    passMinute: async (minute: number, before: number): Promise<void> => {
      clock.now = minute * MINUTE_MS + 1_000;
      const down = listDown(before);
      for (const { line, role } of listWatchedLines(lines)) probe(line, role, down);
      steering.setDown(new Set([...listDown(before + 1)].map(findId)));
      const visits = countVisits(minute);
      for (let visit = 0; visit < visits; visit += 1) visitLines(visit, down);
      clock.now = minute * MINUTE_MS + 59_000;
      const statuses = listWatchedLines(lines).map(({ line: { id } }): [string, LineStatus] => [
        id,
        judgeLineById(id, sources).status,
      ]);
      lineStates.note(new Map(statuses), clock.now);
      clock.now = (minute + 1) * MINUTE_MS + MOMENT_AFTER_MS;
      await measurements.foldWindows();
      await takeMoment();
    },
    close: async (): Promise<void> => {
      await measurements.close();
      await database.close();
    },
  };

  /** What had begun by now of what will be. */
  function listKnown(): readonly KeptIncident[] {
    const begun = made.filter(({ startedAt }) => startedAt <= clock.now);
    return begun.map((incident) => seeUntil(incident, clock.now));
  }

  function findId(host: string): string {
    return lines.lines.find((line) => line.host.endsWith(`//${host}`))?.id ?? '';
  }

  function probe(
    { id, host }: { readonly id: string; readonly host: string },
    role: LineState['role'],
    down: ReadonlySet<string>,
  ): void {
    const condition = down.has(new URL(host).hostname) ? 'down' : 'up';
    const last = probes.get(id);
    const isSame = last?.condition === condition;
    probes.set(id, {
      host,
      role,
      condition,
      seen: condition,
      health: undefined,
      since: isSame ? last.since : clock.now,
      recoveredAt: last?.condition === 'down' && condition === 'up' ? clock.now : last?.recoveredAt,
      settled: condition,
      streak: isSame ? last.streak + 1 : 1,
      checkedAt: clock.now,
      addresses: [
        condition === 'up'
          ? { address: host, reply: WELL, faults: [], pageFault: undefined }
          : { address: host, reply: { kind: 'timeout' }, faults: [], pageFault: undefined },
      ],
    });
  }

  function countVisits(minute: number): number {
    const { least, most } = VISITS_A_MINUTE;
    // Most of them come at 21:00 in Singapore.
    const part = (1 + Math.cos((((minute / 60) % 24) - 13) * (Math.PI / 12))) / 2;
    return Math.round((least + (most - least) * part ** 1.5) * (0.85 + 0.3 * random()));
  }

  function visitLines(visit: number, down: ReadonlySet<string>): void {
    const network = NETWORKS[visit % NETWORKS.length];
    if (network === undefined) return;
    const area = `/${network.prefix}`;
    const lineIds = steering.pick(area).map((index) => lines.lines[index]?.id ?? '');
    measurements.countHandOut(lineIds);
    const results = lineIds.map((id, index) => askLine({ id, index }, network, down));
    const [best] = results.filter(({ outcome }) => outcome === 'valid').toSorted((a, b) => a.time - b.time);
    measurements.countReport({
      area,
      prefix: `${network.prefix}.${Math.floor(random() * 256)}`,
      lineIds,
      results,
      entered: best !== undefined && random() < 0.96 ? best.index : null,
    });
  }

  function askLine(
    { id, index }: { readonly id: string; readonly index: number },
    network: DemoNetwork,
    down: ReadonlySet<string>,
  ) {
    const host = lines.byId.get(id)?.host ?? '';
    const { hostname } = new URL(host);
    const demo = DEMO_LINES.find((line) => line.host === hostname);
    // Ways that are blocked or busy for the whole day would hide what the views are for.
    const { extraMs } = findPassage(network, host);
    const isLost = down.has(hostname) || random() < LOST_PART;
    const ms = ((demo?.behaviour.delayMs ?? 40) + extraMs) * (0.9 + 0.5 * random() ** 3);
    return isLost
      ? ({ index, outcome: 'timeout', time: TIMEOUT_MS } as const)
      : ({ index, outcome: 'valid', time: Math.max(20, Math.round(ms)) } as const);
  }
}

/** An incident as it was known at a time. */
function seeUntil(incident: KeptIncident, now: number): KeptIncident {
  return incident.endedAt !== null && incident.endedAt > now ? { ...incident, endedAt: null } : incident;
}

/** The lines that are down this many minutes before the end. */
function listDown(minutesBefore: number): ReadonlySet<string> {
  const lasting = TROUBLES.filter(
    ({ before, minutes }) => minutesBefore <= before && minutesBefore > before - minutes,
  );
  return new Set(lasting.map(({ host }) => host));
}

function describeTrouble({ host, before, minutes }: Trouble, end: number, lineId: string): KeptIncident {
  const startedAt = (end - before) * MINUTE_MS;
  const endedAt = startedAt + minutes * MINUTE_MS;
  return {
    id: `made-up-${before}`,
    cause: `line/${lineId}`,
    kind: 'line-down',
    severity: 'high',
    subject: host,
    affected: [],
    detail: { kind: 'not-reached', by: 'visitors' },
    visitors: minutes * 7,
    startedAt,
    endedAt,
    takenBy: 'li.wei',
    timeline: [
      { at: startedAt + 20_000, kind: 'opened' },
      { at: startedAt + 3 * MINUTE_MS, kind: 'taken', by: 'li.wei' },
      { at: endedAt + MINUTE_MS, kind: 'closed' },
    ],
    told: {},
    messages: 0,
  };
}
