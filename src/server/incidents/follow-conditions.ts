import { isDeepStrictEqual } from 'node:util';
import {
  type Condition,
  type Incident,
  type IncidentEvent,
  type IncidentKind,
  SEVERITIES,
} from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

/** A condition as the server sees it now. */
export type Sighting = Condition & {
  /** False if the server has seen too little of it: it opens no incident, but it keeps one open. */
  readonly isSure: boolean;
};

/** What is remembered between two looks. */
export type Memory = {
  /** Since when each cause that has no incident yet has been seen without a break. */
  readonly seenSince: ReadonlyMap<string, number>;
  /** Since when each open incident has not been seen any more. */
  readonly goneSince: ReadonlyMap<string, number>;
};

export type Look = {
  readonly sightings: readonly Sighting[];
  readonly now: number;
  /** An incident is closed when it was not seen for this long. */
  readonly calmMs: number;
  /** Names an incident that begins. */
  readonly createId: (beginning: Pick<Condition, 'cause' | 'since'>) => string;
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
const RETURN_MS = 10 * MINUTE_MS;
const MAX_TIMELINE = 100;
/** The three that are about one line, from bad to worst. */
export const LINE_KINDS: readonly IncidentKind[] = ['line-lost', 'line-degraded', 'line-down'];

/** Opens, changes and closes incidents, by what is seen now. Each cause has at most one open incident. */
export function followConditions<T extends Incident>(
  before: readonly T[],
  { seenSince: lastSeen, goneSince: lastGone }: Memory,
  { sightings, now, calmMs, createId }: Look,
): Followed<T> {
  const seenSince = new Map<string, number>();
  const goneSince = new Map<string, number>();
  const waiting = new Map(sightings.map((sighting) => [sighting.cause, sighting]));
  let hasNews = false;

  const followed = before.map((incident): T | Incident => {
    const sighting = waiting.get(incident.cause);
    const next = incident.endedAt === null ? followOpen(incident, sighting) : reopen(incident, sighting);
    if (next.endedAt === null) waiting.delete(incident.cause);
    hasNews ||= next !== incident;
    return next;
  });
  const opened = [...waiting.values()].filter(isDue).map(open);
  return {
    incidents: opened.length === 0 ? followed : [...followed, ...opened],
    memory: { seenSince, goneSince },
    hasNews: hasNews || opened.length > 0,
  };

  function followOpen(incident: T, sighting: Sighting | undefined): T | Incident {
    if (sighting !== undefined) return update(incident, sighting);
    // If the clock was set back, it counts from now.
    const goneAt = Math.min(now, lastGone.get(incident.cause) ?? now);
    goneSince.set(incident.cause, goneAt);
    const hasReturned = incident.timeline.some(({ kind }) => kind === 'returned');
    if (now - goneAt < (hasReturned ? Math.max(RETURN_MS, calmMs) : calmMs)) return incident;
    return { ...addEvent(incident, { at: now, kind: 'closed' }), endedAt: goneAt };
  }

  function reopen(incident: T, sighting: Sighting | undefined): T | Incident {
    const isRecent = incident.endedAt !== null && Math.abs(now - incident.endedAt) < RETURN_MS;
    if (!isRecent || sighting === undefined || !isDue(sighting)) return incident;
    const returned = { ...incident, endedAt: null, takenBy: null };
    return addEvent(update(returned, sighting), {
      at: now,
      kind: 'returned',
      condition: pickShown(sighting),
    });
  }

  function isDue({ cause, kind, isSure }: Sighting): boolean {
    if (!isSure) return false;
    const since = Math.min(now, lastSeen.get(cause) ?? now);
    seenSince.set(cause, since);
    return now - since >= (HOLD_MS[kind] ?? 0);
  }

  function open(sighting: Sighting): Incident {
    const { isSure: _isSure, since, ...condition } = sighting;
    return {
      ...condition,
      id: createId(sighting),
      startedAt: since,
      endedAt: null,
      takenBy: null,
      timeline: [{ at: now, kind: 'opened', condition: pickShown(condition) }],
    };
  }

  /** An incident keeps its worst kind, so that one that eases and worsens again is told once. */
  function update<I extends Incident>(incident: I, sighting: Sighting): I {
    if (!sighting.isSure) return incident;
    const { affected, detail, visitors } = sighting;
    const isWorse = rank(sighting) > rank(incident);
    const isSame =
      !isWorse &&
      isDeepStrictEqual(detail, incident.detail) &&
      visitors <= incident.visitors &&
      affected.join() === incident.affected.join();
    if (isSame) return incident;
    const current = { ...incident, affected, detail, visitors: Math.max(visitors, incident.visitors) };
    if (!isWorse) return current;
    const { kind, severity } = sighting;
    return addEvent(
      { ...current, kind, severity },
      { at: now, kind: 'changed', condition: pickShown(sighting) },
    );
  }
}

function rank({ kind, severity }: Pick<Condition, 'kind' | 'severity'>): number {
  return LINE_KINDS.indexOf(kind) * SEVERITIES.length + SEVERITIES.indexOf(severity);
}

function pickShown({ kind, severity, detail }: Condition | Sighting | Omit<Condition, 'since'>) {
  return { kind, severity, detail };
}

/** Adds to the timeline. The first event stays: it says when the incident was noticed. */
export function addEvent<I extends Incident>(incident: I, event: IncidentEvent): I {
  const [first, ...rest] = incident.timeline;
  const timeline = first === undefined ? [event] : [first, ...rest.slice(2 - MAX_TIMELINE), event];
  return { ...incident, timeline };
}
