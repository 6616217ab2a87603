import { isDeepStrictEqual } from 'node:util';
import {
  type Condition,
  type Incident,
  type IncidentEvent,
  type IncidentKind,
  type IncidentPart,
  SEVERITIES,
  partsOf,
} from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import {
  type LineGroups,
  NO_GROUPS,
  findIncidentToJoin,
  findShared,
  listSameTroubles,
} from './join-incidents.ts';

/** A condition as the server sees it now. */
export type Sighting = Condition & {
  /** False if the server has seen too little of it: it opens no incident, but it keeps one open. */
  readonly isSure: boolean;
};

/** What is remembered between two looks. */
export type Memory = {
  /** Since when each cause that has no incident yet has been seen without a break. */
  readonly seenSince: ReadonlyMap<string, number>;
  /** Since when each cause of an open incident has not been seen any more. */
  readonly goneSince: ReadonlyMap<string, number>;
};

export type Look<T extends Incident = Incident> = {
  readonly sightings: readonly Sighting[];
  readonly now: number;
  /** An incident is closed when it was not seen for this long. */
  readonly calmMs: number;
  /** Names an incident that begins. */
  readonly createId: (beginning: Pick<Condition, 'cause' | 'since'>) => string;
  readonly groups?: LineGroups;
  /** True for a line in maintenance: it is no part of another trouble. */
  readonly isAlone?: (cause: string) => boolean;
  /** Called when an incident turns out to be part of another one, for what else is known of both. */
  readonly onJoin?: (stays: T | Incident, goes: T | Incident) => T | Incident;
};

export type Followed<T extends Incident> = {
  readonly incidents: readonly (T | Incident)[];
  readonly memory: Memory;
  /** False if every incident is the same object as before. */
  readonly hasNews: boolean;
};

export const EMPTY_MEMORY: Memory = { seenSince: new Map(), goneSince: new Map() };

/** How long something must last before it is an incident: it may pass by itself. */
const HOLD_MS: Partial<Record<IncidentKind, number>> = {
  'portal-cut-off': 15_000,
  'store-down': 15_000,
  'site-refused': 10_000,
};
/** An incident that comes back within ten minutes is the same one. It then closes after ten quiet minutes. */
export const RETURN_MS = 10 * MINUTE_MS;
const MAX_TIMELINE = 100;
/** The kinds about one line, from bad to worst, and then the kinds that explain all of those. */
export const LINE_KINDS: readonly IncidentKind[] = [
  'line-slow',
  'line-lost',
  'line-degraded',
  'line-down',
  'portal-cut-off',
  'visitors-lost',
];

/** Opens, changes, joins and closes incidents, by what is seen now. Each cause is part of at most one open incident. */
export function followConditions<T extends Incident>(
  before: readonly T[],
  { seenSince: lastSeen, goneSince: lastGone }: Memory,
  look: Look<T>,
): Followed<T> {
  const { sightings, now, calmMs, createId, groups = NO_GROUPS, isAlone, onJoin } = look;
  const seenSince = new Map<string, number>();
  const goneSince = new Map<string, number>();
  const waiting = new Map(sightings.map((sighting) => [sighting.cause, sighting]));
  let incidents: (T | Incident)[] = [...before];

  // Those that last come first: a cause is seen by one incident only.
  change(({ endedAt }) => endedAt === null, followOpen);
  change(({ endedAt }) => endedAt !== null, reopen);
  for (const sighting of waiting.values()) if (isDue(sighting)) join(sighting);
  const open = incidents.filter(mayJoin);
  if (open.length > 1) for (const same of listSameTroubles(open, groups, now)) unite(same);
  change(({ endedAt, parts }) => endedAt === null && parts !== undefined, noteLines);
  return {
    incidents,
    memory: { seenSince, goneSince },
    hasNews: incidents.length > before.length || incidents.some((each, index) => each !== before[index]),
  };

  function change(
    which: (incident: T | Incident) => boolean,
    next: (incident: T | Incident) => T | Incident,
  ) {
    incidents = incidents.map((incident) => (which(incident) ? next(incident) : incident));
  }

  function followOpen(incident: T | Incident): T | Incident {
    const hasReturned = incident.timeline.some(({ kind }) => kind === 'returned');
    let next = incident;
    for (const part of partsOf(incident)) {
      const sighting = waiting.get(part.cause);
      waiting.delete(part.cause);
      if (sighting !== undefined) next = see(next, part, sighting);
      else if (part.endedAt === null) next = miss(next, part, hasReturned || part.hasReturned);
    }
    const ends = partsOf(next).map(({ endedAt }) => endedAt);
    if (ends.includes(null)) return next;
    const endedAt = Math.max(...ends.filter((end) => end !== null));
    return { ...addEvent(next, { at: now, kind: 'closed' }), endedAt };
  }

  /** A part is still wrong, or again. */
  function see(incident: T | Incident, part: IncidentPart, sighting: Sighting): T | Incident {
    if (part.endedAt === null) return update(incident, part, sighting);
    if (!isDue(sighting)) return incident;
    // After more than ten minutes it is a new trouble, and not as bad as the one before.
    const hasReturned = Math.abs(now - part.endedAt) < RETURN_MS;
    const { kind, severity, since } = hasReturned ? part : sighting;
    const back = { ...part, kind, severity, since, endedAt: null, changedAt: now, hasReturned };
    const next = addEvent(update(replacePart(incident, back), back, sighting), {
      at: now,
      kind: 'grew',
      by: part.subject,
    });
    return worsen(next, sighting);
  }

  /** A part is not seen any more. It is over when that lasts. */
  function miss(incident: T | Incident, part: IncidentPart, hasReturned: boolean): T | Incident {
    // If the clock was set back, it counts from now.
    const goneAt = Math.min(now, lastGone.get(part.cause) ?? now);
    goneSince.set(part.cause, goneAt);
    if (now - goneAt < (hasReturned ? Math.max(RETURN_MS, calmMs) : calmMs)) return incident;
    const next = replacePart(incident, { ...part, endedAt: goneAt, changedAt: now });
    const worst = findWorst(next);
    if (worst === undefined) return next;
    const shrunk = addEvent(next, { at: now, kind: 'shrank', by: part.subject });
    if (rank(worst) >= rank(incident)) return shrunk;
    const { kind, severity, detail } = worst;
    return addEvent(
      { ...shrunk, kind, severity, detail },
      { at: now, kind: 'eased', condition: pickShown(worst) },
    );
  }

  function reopen(incident: T | Incident): T | Incident {
    const isRecent = incident.endedAt !== null && Math.abs(now - incident.endedAt) < RETURN_MS;
    if (!isRecent) return incident;
    let next = incident;
    for (const part of partsOf(incident)) {
      const sighting = waiting.get(part.cause);
      if (sighting === undefined || !isDue(sighting)) continue;
      waiting.delete(part.cause);
      const back = { ...part, endedAt: null, changedAt: now };
      const reopened = { ...replacePart(next, back), endedAt: null, takenBy: null };
      next = addEvent(update(reopened, back, sighting), {
        at: now,
        kind: 'returned',
        condition: pickShown(sighting),
      });
    }
    return next;
  }

  function isDue({ cause, kind, isSure }: Sighting): boolean {
    if (!isSure) return false;
    const since = Math.min(now, lastSeen.get(cause) ?? now);
    seenSince.set(cause, since);
    return now - since >= (HOLD_MS[kind] ?? 0);
  }

  function mayJoin(incident: T | Incident): boolean {
    return incident.endedAt === null && !partsOf(incident).some(({ cause }) => isAlone?.(cause));
  }

  /** A new trouble is part of an open incident, or opens one. */
  function join(sighting: Sighting): void {
    const { isSure: _isSure, since, ...condition } = sighting;
    const host = isAlone?.(sighting.cause)
      ? undefined
      : findIncidentToJoin(sighting, incidents.filter(mayJoin), now);
    if (host === undefined) {
      incidents.push({
        ...condition,
        id: createId(sighting),
        startedAt: since,
        endedAt: null,
        takenBy: null,
        timeline: [{ at: now, kind: 'opened', condition: pickShown(condition) }],
      });
      return;
    }
    const part = { ...condition, since, changedAt: now, endedAt: null, hasReturned: false };
    const grown = { ...host, parts: [...partsOf(host), part], startedAt: Math.min(host.startedAt, since) };
    const next = addEvent(grown, { at: now, kind: 'grew', by: sighting.subject });
    change(
      (incident) => incident === host,
      () => worsen(next, sighting),
    );
  }

  /** Several incidents go on as one. */
  function unite(same: readonly (T | Incident)[]): void {
    // Another group may have united some of them already.
    const [first, ...others] = same.filter((incident) => incidents.includes(incident));
    if (first === undefined || others.length === 0) return;
    let stays = first;
    for (const goes of others) {
      const worst = findWorst(goes);
      const parts = [...partsOf(stays), ...partsOf(goes)];
      const visitors = Math.max(stays.visitors, goes.visitors);
      const grown = addEvent({ ...stays, parts, visitors }, { at: now, kind: 'grew', by: goes.subject });
      const merged = worst === undefined ? grown : worsen(grown, worst);
      stays = onJoin?.(merged, goes) ?? merged;
    }
    const gone = new Set(others);
    change(
      (incident) => gone.has(incident),
      (goes) => endAsPart(goes, first.id),
    );
    change(
      (incident) => incident === first,
      () => stays,
    );
  }

  /** It has no parts any more: what comes back is part of the other one. */
  function endAsPart(incident: T | Incident, id: string): T | Incident {
    const ended = { ...incident, endedAt: now, parts: [] };
    return addEvent(ended, { at: now, kind: 'joined', by: id });
  }

  /** Notes what its lines have in common, of how many they are, and how the worst part is now. */
  function noteLines(incident: T | Incident): T | Incident {
    const lineCount = groups.lines.size;
    const shared = findShared(incident, groups);
    const { detail } = findWorst(incident) ?? incident;
    if (incident.lineCount === lineCount && incident.shared === shared && incident.detail === detail)
      return incident;
    return { ...incident, lineCount, detail, shared };
  }

  /** A part keeps its worst kind while it lasts, so that one that eases and worsens again is told once. */
  function update(incident: T | Incident, part: IncidentPart, sighting: Sighting): T | Incident {
    if (!sighting.isSure) return incident;
    const { affected, detail } = sighting;
    const isWorse = rank(sighting) > rank(part);
    const visitors = Math.max(sighting.visitors, incident.visitors);
    const isSame =
      !isWorse && isDeepStrictEqual(detail, part.detail) && affected.join() === part.affected.join();
    if (isSame) return visitors === incident.visitors ? incident : { ...incident, visitors };
    const { kind, severity } = isWorse ? sighting : part;
    const changed = replacePart(incident, { ...part, kind, severity, affected, detail });
    const more = listMorePlaces(part, sighting);
    const next = more === '' ? changed : addEvent(changed, { at: now, kind: 'grew', by: more });
    const seen = { ...next, visitors };
    return isWorse ? worsen(seen, sighting) : seen;
  }

  function worsen(incident: T | Incident, to: Pick<Condition, 'kind' | 'severity' | 'detail'>): T | Incident {
    if (rank(to) <= rank(incident)) return incident;
    return addEvent(
      { ...incident, ...pickShown(to) },
      { at: now, kind: 'changed', condition: pickShown(to) },
    );
  }
}

/** Other visitors who are missing may be missing for another reason. The places of a line have one reason. */
function listMorePlaces(
  part: IncidentPart,
  { kind, affected }: Pick<Condition, 'kind' | 'affected'>,
): string {
  if (kind !== 'visitors-missing' || part.affected.length === 0) return '';
  return affected.filter((place) => !part.affected.includes(place)).join(', ');
}

/** Puts a part in the place of the one with its cause. */
function replacePart<I extends Incident>(incident: I, part: IncidentPart): I {
  const { affected, detail, endedAt } = part;
  if (incident.parts === undefined) return { ...incident, affected, detail, endedAt };
  return { ...incident, parts: incident.parts.map((each) => (each.cause === part.cause ? part : each)) };
}

/** The worst of what still lasts. */
function findWorst(incident: Incident): IncidentPart | undefined {
  return partsOf(incident)
    .filter(({ endedAt }) => endedAt === null)
    .toSorted((one, other) => rank(other) - rank(one))[0];
}

function rank({ kind, severity }: Pick<Condition, 'kind' | 'severity'>): number {
  return SEVERITIES.indexOf(severity) * (LINE_KINDS.length + 1) + LINE_KINDS.indexOf(kind);
}

function pickShown({ kind, severity, detail }: Pick<Condition, 'kind' | 'severity' | 'detail'>) {
  return { kind, severity, detail };
}

/** Adds to the timeline. The first event stays: it says when the incident was noticed. */
export function addEvent<I extends Incident>(incident: I, event: IncidentEvent): I {
  const [first, ...rest] = incident.timeline;
  const timeline = first === undefined ? [event] : [first, ...rest.slice(2 - MAX_TIMELINE), event];
  return { ...incident, timeline };
}
