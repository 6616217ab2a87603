import * as v from 'valibot';
import type { KeptIncident, Outgoing } from '../messages/message.ts';

/** All incidents that are kept, and the messages that wait to be sent. They are written together, or not at all. */
export type IncidentBook = {
  /** Oldest first. */
  readonly incidents: readonly KeptIncident[];
  readonly outbox: readonly Outgoing[];
};

export const EMPTY_BOOK: IncidentBook = { incidents: [], outbox: [] };

const KEEP_MS = 90 * 86_400_000;
/** Some incidents a day for 90 days. Beyond this, those that ended first are forgotten. */
const MAX_INCIDENTS = 2_000;
const FORMAT = 1;

const bookSchema = v.object({
  format: v.literal(FORMAT),
  incidents: v.array(v.looseObject({ id: v.string(), cause: v.string(), timeline: v.array(v.any()) })),
  outbox: v.array(v.looseObject({ channel: v.string(), message: v.looseObject({ id: v.string() }) })),
});

export function encodeBook({ incidents, outbox }: IncidentBook): string {
  return JSON.stringify({ format: FORMAT, incidents, outbox });
}

/** Reads what `encodeBook` wrote. Throws if it is something else. */
export function decodeBook(text: string): IncidentBook {
  // Its outline was checked, and the rest was written by us.
  return v.parse(bookSchema, JSON.parse(text)) as unknown as IncidentBook;
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
  for (const incident of [...byId.values()].toSorted((a, b) => a.startedAt - b.startedAt)) {
    const index = incidents.findIndex(
      ({ cause, endedAt }) => cause === incident.cause && endedAt === null && incident.endedAt === null,
    );
    const older = incidents[index];
    if (older === undefined) incidents.push(incident);
    else {
      const visitors = Math.max(older.visitors, incident.visitors);
      incidents[index] = { ...older, visitors, told: { ...incident.told, ...older.told } };
    }
  }
  const known = new Set(one.outbox.map(keyOf));
  return { incidents, outbox: [...one.outbox, ...other.outbox.filter((entry) => !known.has(keyOf(entry)))] };
}

function keyOf({ channel, message }: Outgoing): string {
  return `${channel} ${message.id}`;
}
