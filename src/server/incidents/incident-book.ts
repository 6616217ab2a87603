import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { IncidentDetail, IncidentEvent } from '../../contract/incidents.ts';
import { DAY_MS } from '../../contract/limits.ts';
import type { Delivered } from '../messages/deliver.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { addEvent } from './follow-conditions.ts';

/** All incidents that are kept, and the messages that wait to be sent. They are written together, or not at all. */
export type IncidentBook = {
  /** Oldest first. */
  readonly incidents: readonly KeptIncident[];
  readonly outbox: readonly Outgoing[];
};

/** Somebody has taken an incident. */
export type Take = { readonly id: string; readonly by: string };

export const EMPTY_BOOK: IncidentBook = { incidents: [], outbox: [] };

const KEEP_MS = 90 * DAY_MS;
/** Some incidents a day for 90 days. Beyond this, those that ended first are forgotten. */
const MAX_INCIDENTS = 2_000;
/** More than this many messages of one channel are not kept: whoever reads it later has no use for them. */
const MAX_WAITING = 200;
const FORMAT = 1;

/** Older versions wrote a sentence in English. Newer ones may write what this one does not know. */
const detail = v.union([
  v.pipe(
    v.string(),
    v.transform((text): IncidentDetail => ({ kind: 'text', text })),
  ),
  v.pipe(v.looseObject({ kind: v.string() }), v.transform(keepIfKnown)),
]);

const bookSchema = v.object({
  format: v.literal(FORMAT),
  incidents: v.array(
    v.looseObject({
      id: v.string(),
      cause: v.string(),
      detail,
      timeline: v.array(v.looseObject({ condition: v.optional(v.looseObject({ detail })) })),
    }),
  ),
  outbox: v.array(v.looseObject({ channel: v.string(), message: v.looseObject({ id: v.string() }) })),
});

export function encodeBook({ incidents, outbox }: IncidentBook): string {
  return JSON.stringify({ format: FORMAT, incidents, outbox });
}

/** Reads what `encodeBook` wrote. Throws if it is something else. */
export function decodeBook(text: string): IncidentBook {
  const { incidents, outbox } = v.parse(bookSchema, JSON.parse(text));
  // Its outline was checked, and the rest was written by us.
  return { incidents, outbox } as unknown as IncidentBook;
}

/** Keeps a detail that there are words for. Of another one the name of its kind stays: one detail must not stop all messages. */
function keepIfKnown(found: { readonly kind: string }): IncidentDetail {
  try {
    // Its values are not known yet: this finds out whether they can be said.
    describeDetail(found as IncidentDetail, 'en');
    return found as IncidentDetail;
  } catch {
    return { kind: 'text', text: found.kind };
  }
}

/** An id of an incident or of a message. */
export function createId(): string {
  return randomBytes(9).toString('base64url');
}

/** Notes what became of a message: it waits no longer, or for its next try. */
export function noteOutcome(book: IncidentBook, delivered: Delivered, at: number): IncidentBook {
  const { outgoing, kind } = delivered;
  const next = kind === 'postponed' ? [delivered.next] : [];
  const outbox = book.outbox.flatMap((other) => (keyOf(other) === keyOf(outgoing) ? next : [other]));
  if (kind === 'postponed') return { ...book, outbox };
  const event: IncidentEvent = { at, kind: kind === 'sent' ? 'told' : 'not-told', by: outgoing.channel };
  const { incident: id } = outgoing.message;
  return {
    outbox,
    incidents: book.incidents.map((each) => (each.id === id ? addEvent(each, event) : each)),
  };
}

/** Notes who has taken an open incident. */
export function noteTake(book: IncidentBook, { id, by }: Take, at: number): IncidentBook {
  return {
    ...book,
    incidents: book.incidents.map((incident) =>
      incident.id === id && incident.endedAt === null && incident.takenBy !== by
        ? addEvent({ ...incident, takenBy: by }, { at, kind: 'taken', by })
        : incident,
    ),
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

/**
 * Brings together what two portals have written while they did not hear of each other. Of two open incidents with the same
 * cause the older one stays, and knows whom both have told.
 */
export function mergeBooks(one: IncidentBook, other: IncidentBook): IncidentBook {
  const byId = new Map(one.incidents.map((incident) => [incident.id, incident]));
  for (const incident of other.incidents) {
    const known = byId.get(incident.id);
    if (known === undefined || known.timeline.length < incident.timeline.length)
      byId.set(incident.id, incident);
  }
  const incidents: KeptIncident[] = [];
  /** Incidents that are part of an older one, by their id. */
  const olderOf = new Map<string, KeptIncident>();
  for (const incident of [...byId.values()].toSorted((a, b) => a.startedAt - b.startedAt)) {
    const index = incidents.findIndex(
      ({ cause, endedAt }) => cause === incident.cause && endedAt === null && incident.endedAt === null,
    );
    const older = incidents[index];
    if (older === undefined) incidents.push(incident);
    else {
      const visitors = Math.max(older.visitors, incident.visitors);
      incidents[index] = { ...older, visitors, told: { ...incident.told, ...older.told } };
      olderOf.set(incident.id, older);
    }
  }
  const known = new Set(one.outbox.map(keyOf));
  const outbox = [...one.outbox, ...other.outbox.filter((entry) => !known.has(keyOf(entry)))];
  return {
    incidents,
    // What waits to be said of both incidents is said once.
    outbox: outbox.filter(({ channel, message }) => !olderOf.get(message.incident)?.told[channel]),
  };
}

function keyOf({ channel, message }: Outgoing): string {
  return `${channel} ${message.id}`;
}
