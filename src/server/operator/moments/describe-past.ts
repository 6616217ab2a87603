import type {
  ConsoleLine,
  ConsoleLineDetail,
  ConsoleLines,
  ConsoleNetworks,
  ConsoleOverview,
} from '../../../contract/console.ts';
import { sayInEach } from '../../../contract/console-language.ts';
import { nameIncident } from '../../../contract/describe-incident.ts';
import type { ConsoleIncidents, Incident } from '../../../contract/incidents.ts';
import {
  type ConsoleChange,
  type ConsoleMoments,
  type IncidentChange,
  MOMENTS_KEPT_MS,
  MOMENT_EVERY_MS,
} from '../../../contract/moments.ts';
import type { IncidentKeeper } from '../../incidents/create-incident-keeper.ts';
import { RETURN_MS } from '../../incidents/follow-conditions.ts';
import type { Minute } from '../../learning/create-history.ts';
import type { ListedMoment, MomentKeeper } from '../../moments/keep-moments.ts';
import type { KeptLine } from '../../moments/moment.ts';
import type { StepWatch, Steps } from '../../process/create-step-watch.ts';
import { type IncidentFacts, describeIncident } from '../incidents/describe-incident.ts';
import { describeHistory, rankCells } from '../lines/describe-line.ts';
import { describeReached } from '../lines/describe-lines.ts';

/** What the console showed at a time. Undefined where nothing is kept of it. */
export type Past = {
  readonly overview: (at: number) => Promise<ConsoleOverview | undefined>;
  readonly lines: (at: number) => Promise<ConsoleLines | undefined>;
  /** `'no-line'` if the site did not have this line. */
  readonly line: (at: number, id: string) => Promise<ConsoleLineDetail | 'no-line' | undefined>;
  readonly networks: (at: number) => Promise<ConsoleNetworks | undefined>;
  readonly incidents: (at: number) => Promise<ConsoleIncidents | undefined>;
  readonly list: () => Promise<ConsoleMoments>;
};

export type PastDeps = IncidentFacts & {
  readonly moments: Omit<MomentKeeper, 'keep' | 'lead' | 'prune'>;
  readonly incidents: Pick<IncidentKeeper, 'list'>;
  readonly steps: StepWatch;
  readonly now: () => number;
};

/** How many changes one list has: the newest. */
const MAX_CHANGES = 2_000;

export function createPast(deps: PastDeps): Past {
  const { moments, incidents, steps, now } = deps;
  return {
    overview: async (at) => (await moments.read(at))?.overview,
    lines: async (at) => {
      const moment = await moments.read(at);
      if (moment === undefined) return undefined;
      const hour = await moments.readHour(at);
      const { overview, firstMinute, lines } = moment;
      return {
        at: overview.at,
        firstMinute,
        lines: lines.map((line) => {
          const minutes = hour.flatMap((part) => part.lines.get(line.id) ?? []);
          return addReached(line, minutes, overview.at);
        }),
      };
    },
    line: async (at, id) => {
      const moment = await moments.read(at);
      if (moment === undefined) return undefined;
      const line = moment.lines.find((each) => each.id === id);
      if (line === undefined) return 'no-line';
      const { overview, networks, probes } = moment;
      const day = await moments.readDay(at, id);
      return {
        at: overview.at,
        line: addReached(line, day.line, overview.at),
        history: describeHistory(day.line, day.site),
        // Of the time before its last hour, nothing is kept.
        states: line.states,
        networks: findCells(networks, id),
        probe: probes[id] ?? null,
      };
    },
    networks: async (at) => (await moments.read(at))?.networks,
    incidents: async (at) => {
      const moment = await moments.read(at);
      if (moment === undefined) return undefined;
      const keptFrom = moment.overview.at - RETURN_MS;
      // Incidents that had ended long before have not changed since.
      const earlier = incidents.list().filter(({ endedAt }) => endedAt !== null && endedAt <= keptFrom);
      return {
        at: moment.overview.at,
        incidents: [...moment.incidents, ...earlier.map((incident) => describeIncident(incident, deps))],
        // These are for what can be done now.
        channels: [],
        onCall: [],
      };
    },
    list: async () => {
      const listed = await moments.list();
      const since = now() - MOMENTS_KEPT_MS;
      const ofIncidents = await steps.runSteps(
        'moments: changes',
        listIncidentChanges(incidents.list(), since),
      );
      const changes: readonly ConsoleChange[] = [
        ...listed.flatMap((moment) => moment.changes),
        ...ofIncidents,
      ];
      return {
        at: now(),
        kept: findStretches(listed),
        changes: changes
          .filter(({ at }) => at >= since)
          .toSorted((a, b) => a.at - b.at)
          .slice(-MAX_CHANGES),
      };
    },
  };
}

function addReached(line: KeptLine, minutes: readonly Minute[], at: number): ConsoleLine {
  return { ...line, reachedByMinute: describeReached(minutes, at) };
}

/** The worst of the networks that the map showed. */
function findCells({ lines, networks }: ConsoleNetworks, lineId: string): ConsoleLineDetail['networks'] {
  const line = lines.findIndex(({ id }) => id === lineId);
  return rankCells(
    networks.flatMap(({ name, reached, lost, timeMs, failingSince }) => {
      const cell = {
        network: name,
        reached: reached[line] ?? 0,
        lost: lost[line] ?? 0,
        timeMs: timeMs[line] ?? null,
        failingSince: failingSince[line] ?? null,
      };
      return cell.reached + cell.lost > 0 ? [cell] : [];
    }),
  );
}

function findStretches(listed: readonly ListedMoment[]): ConsoleMoments['kept'] {
  const stretches: [first: number, last: number][] = [];
  for (const { at } of listed) {
    const last = stretches.at(-1);
    if (last !== undefined && last[1] + MOMENT_EVERY_MS === at) last[1] = at;
    else stretches.push([at, at]);
  }
  return stretches;
}

/** Step by step, because there may be thousands. */
function* listIncidentChanges(
  incidents: readonly Incident[],
  since: number,
): Steps<readonly IncidentChange[]> {
  const changes: IncidentChange[] = [];
  for (const incident of incidents) {
    changes.push(...listChanges(incident, since));
    yield;
  }
  return changes;
}

function listChanges(incident: Incident, since: number): readonly IncidentChange[] {
  return incident.timeline.flatMap(({ at, kind, by, condition }) => {
    const told = findKind(kind);
    if (told === undefined || at < since) return [];
    const was = { ...incident, ...condition };
    return [
      {
        kind: told,
        at,
        severity: was.severity,
        names: sayInEach((language) => nameIncident(was, language)),
        ...((told === 'told' || told === 'not-told') && by !== undefined && { channel: by }),
      },
    ];
  });
}

function findKind(kind: Incident['timeline'][number]['kind']): IncidentChange['kind'] | undefined {
  switch (kind) {
    case 'opened':
    case 'returned':
      return 'opened';
    case 'closed':
    case 'told':
    case 'not-told':
      return kind;
    case 'changed':
    case 'eased':
    case 'grew':
    case 'shrank':
    case 'joined':
    case 'taken':
      return undefined;
  }
}
