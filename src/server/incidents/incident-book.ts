import { isDeepStrictEqual } from 'node:util';
import type { IncidentEvent } from '../../contract/incidents.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { Delivered } from '../messages/create-delivery.ts';
import type { KeptIncident, Outgoing, Told } from '../messages/message.ts';
import { addEvent } from './follow-conditions.ts';

/** All incidents that are kept, and the messages that wait to be sent. They are written together, or not at all. */
export type IncidentBook = {
  /** Oldest first. */
  readonly incidents: readonly KeptIncident[];
  readonly outbox: readonly Outgoing[];
};

/** What differs between two books. */
export type BookChanges = {
  /** Those that are new or have changed. */
  readonly incidents: readonly KeptIncident[];
  /** The ids of incidents that are too old. */
  readonly forgotten: readonly string[];
  /** Messages that are new, or were tried once more. */
  readonly waiting: readonly Outgoing[];
  /** The ids of messages that wait no longer. */
  readonly done: readonly string[];
};

/** Somebody has taken an incident. */
export type Take = { readonly id: string; readonly by: string };

/** What became of a message, and when. */
export type Outcome = { readonly delivered: Delivered; readonly at: number };

export const EMPTY_BOOK: IncidentBook = { incidents: [], outbox: [] };

const KEEP_MS = 90 * DAY_MS;
/** Some incidents a day for 90 days. Beyond this, those that ended first are forgotten. */
const MAX_INCIDENTS = 2_000;
/** More messages of one channel are not kept, because nobody reads that many later. */
const MAX_WAITING = 200;

export function findChanges(before: IncidentBook, after: IncidentBook): BookChanges {
  const incidents = compare(before.incidents, after.incidents, ({ id }) => id);
  const messages = compare(before.outbox, after.outbox, ({ message }) => message.id);
  return {
    incidents: incidents.changed,
    forgotten: incidents.gone,
    waiting: messages.changed,
    done: messages.gone,
  };
}

function compare<T>(before: readonly T[], after: readonly T[], idOf: (each: T) => string) {
  const known = new Set(before);
  const left = new Set(after.map(idOf));
  return {
    changed: after.filter((each) => !known.has(each)),
    gone: before.map(idOf).filter((id) => !left.has(id)),
  };
}

export type MergeOptions = {
  readonly at: number;
  /** True if this portal leads: then its state of an incident wins. */
  readonly areOursLeading: boolean;
};

/**
 * Brings together what this portal has changed, and what others have changed meanwhile. If they have opened incidents with the
 * same cause, the older one stays and knows whom both have told.
 */
export function mergeChanges(
  ours: BookChanges,
  theirs: readonly KeptIncident[],
  { at, areOursLeading }: MergeOptions,
): BookChanges {
  const merged = new Map<string, KeptIncident>();
  /** By the id of the newer of two incidents with one cause: whom the older one has told. */
  const toldOf = new Map<string, KeptIncident['told']>();
  for (const incident of ours.incidents) {
    const same = theirs.find(({ id }) => id === incident.id);
    const rival = theirs.find(({ cause, endedAt }) => cause === incident.cause && endedAt === null);
    if (same !== undefined) {
      const [first, second] = areOursLeading ? [incident, same] : [same, incident];
      merged.set(incident.id, mergeIncident(first, second));
    } else if (rival !== undefined && incident.endedAt === null) {
      const [older, newer] = rival.startedAt <= incident.startedAt ? [rival, incident] : [incident, rival];
      merged.set(older.id, { ...older, told: mergeTold(older.told, newer.told) });
      merged.set(newer.id, endQuietly(newer, at));
      toldOf.set(newer.id, older.told);
    } else merged.set(incident.id, incident);
  }
  return {
    ...ours,
    incidents: [...merged.values()],
    waiting: ours.waiting.filter(({ channel, message }) => !toldOf.get(message.incident)?.[channel]),
  };
}

/** Two views of one incident. The state is that of the first one. */
function mergeIncident(one: KeptIncident, other: KeptIncident): KeptIncident {
  const events = other.timeline.filter(
    (event) => event.kind !== 'opened' && !one.timeline.some((known) => isDeepStrictEqual(known, event)),
  );
  const timeline = [...one.timeline, ...events].toSorted((a, b) => a.at - b.at);
  const merged = {
    ...one,
    takenBy: one.takenBy ?? other.takenBy,
    visitors: Math.max(one.visitors, other.visitors),
    messages: Math.max(one.messages, other.messages),
    told: mergeTold(one.told, other.told),
  };
  return timeline.reduce<KeptIncident>(addEvent, { ...merged, timeline: [] });
}

/** What each channel was told last. */
function mergeTold(one: KeptIncident['told'], other: KeptIncident['told']): KeptIncident['told'] {
  const merged = new Map<string, Told>(Object.entries(one));
  for (const [channel, told] of Object.entries(other)) {
    const known = merged.get(channel);
    const isLater = known === undefined || told.at > known.at || (told.at === known.at && told.isOver);
    if (isLater) merged.set(channel, told);
  }
  return Object.fromEntries(merged);
}

/** If an incident becomes part of another one, its channels count as told of the other one. */
export function joinTold(stays: KeptIncident, goes: KeptIncident): KeptIncident {
  return { ...stays, told: mergeTold(stays.told, goes.told) };
}

/** Ends an incident that goes on as another one: nobody is told of its end. */
function endQuietly(incident: KeptIncident, at: number): KeptIncident {
  const told = Object.entries(incident.told).map(([channel, each]) => [channel, { ...each, isOver: true }]);
  return addEvent(
    { ...incident, endedAt: at, told: Object.fromEntries(told) as KeptIncident['told'] },
    { at, kind: 'closed' },
  );
}

/** Notes what became of a message: it waits no longer, or for its next try. */
export function noteOutcome(book: IncidentBook, { delivered, at }: Outcome): IncidentBook {
  const { outgoing, kind } = delivered;
  const { id, incident: about } = outgoing.message;
  // It was noted before.
  if (!book.outbox.some(({ message }) => message.id === id)) return book;
  const next = kind === 'postponed' ? [delivered.next] : [];
  const outbox = book.outbox.flatMap((other) => (other.message.id === id ? next : [other]));
  if (kind === 'postponed') return { ...book, outbox };
  const event: IncidentEvent = { at, kind: kind === 'sent' ? 'told' : 'not-told', by: outgoing.channel };
  return {
    outbox,
    incidents: book.incidents.map((each) => (each.id === about ? addEvent(each, event) : each)),
  };
}

/** Keeps the newest messages of each channel that there is, and returns the others, too. */
export function boundOutbox(
  outbox: readonly Outgoing[],
  channels: readonly string[],
): { readonly kept: readonly Outgoing[]; readonly dropped: readonly Outgoing[] } {
  const kept = new Set(
    channels.flatMap((name) => outbox.filter(({ channel }) => channel === name).slice(-MAX_WAITING)),
  );
  return {
    kept: outbox.filter((outgoing) => kept.has(outgoing)),
    dropped: outbox.filter((outgoing) => !kept.has(outgoing)),
  };
}

/** Forgets what is older than 90 days. */
export function forgetOld(book: IncidentBook, now: number): IncidentBook {
  const kept = book.incidents.filter(({ endedAt }) => endedAt === null || endedAt > now - KEEP_MS);
  const surplus = kept.length - MAX_INCIDENTS;
  const ended = kept.filter(({ endedAt }) => endedAt !== null);
  const dropped = new Set(surplus > 0 ? ended.slice(0, surplus) : []);
  if (kept.length === book.incidents.length && dropped.size === 0) return book;
  return { ...book, incidents: kept.filter((incident) => !dropped.has(incident)) };
}
