import * as v from 'valibot';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { IncidentDetail } from '../../contract/incidents.ts';
import type { KeptIncident, Message, Outgoing } from '../messages/message.ts';
import type { Row, Value } from '../store/database.ts';

export type IncidentRow = Row & {
  readonly id: string;
  readonly cause: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly changed: number;
  readonly content: string;
};

export type MessageRow = Row & {
  readonly id: string;
  readonly channel: string;
  readonly content: string;
  readonly tries: number;
  readonly next_at: number;
};

/** A newer portal may write what this one does not know. */
const detail = v.pipe(v.looseObject({ kind: v.string() }), v.transform(keepIfKnown));
const contentSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    detail,
    timeline: v.array(v.looseObject({ condition: v.optional(v.looseObject({ detail })) })),
  }),
);

export const INCIDENT_COLUMNS = ['id', 'cause', 'started_at', 'ended_at', 'changed', 'content'];
export const MESSAGE_COLUMNS = ['id', 'number', 'channel', 'content', 'tries', 'next_at'];

export function writeIncident(incident: KeptIncident, changed: number): readonly Value[] {
  const { id, cause, startedAt, endedAt, ...content } = incident;
  return [id, cause, startedAt, endedAt, changed, JSON.stringify(content)];
}

export function readIncident(row: IncidentRow): KeptIncident {
  const content = v.parse(contentSchema, row.content);
  const columns = { id: row.id, cause: row.cause, startedAt: row.started_at, endedAt: row.ended_at };
  // Its outline was checked, and the rest was written by us.
  return { ...columns, ...content } as unknown as KeptIncident;
}

export function writeMessage(
  { channel, message, tries, nextAt }: Outgoing,
  number: number,
): readonly Value[] {
  const { id, ...content } = message;
  return [id, number, channel, JSON.stringify(content), tries, nextAt];
}

export function readOutgoing({ id, channel, content, tries, next_at: nextAt }: MessageRow): Outgoing {
  const message = { id, ...(JSON.parse(content) as Omit<Message, 'id'>) }; // As `writeMessage` wrote it.
  return { channel, message, tries, nextAt };
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
