import { randomUUID } from 'node:crypto';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import type { Database, Transaction } from '../store/database.ts';
import { requireTerm } from '../store/create-lead.ts';
import { deleteRows, insertRows } from '../store/many-rows.ts';
import { addEvent } from './follow-conditions.ts';
import { type BookChanges, type IncidentBook, type Take, mergeChanges } from './incident-book.ts';
import {
  INCIDENT_COLUMNS,
  type IncidentRow,
  MESSAGE_COLUMNS,
  type MessageRow,
  readIncident,
  readOutgoing,
  writeIncident,
  writeMessage,
} from './incident-rows.ts';

/** The incidents and messages in the database. Everything rejects while the database is away. */
export type IncidentStore = Pick<Database, 'lead' | 'state'> & {
  /** Follows what other portals change. The returned function stops that. */
  readonly watch: (follow: Parameters<Database['watch']>[1]) => () => void;
  /** Reads the incidents that have changed since, and all messages that wait. */
  readonly read: (since: number) => Promise<IncidentBook & { readonly until: number }>;
  /** Writes what has changed, together with what others have changed since this portal has read. */
  readonly write: (changes: BookChanges, options: WriteOptions) => Promise<void>;
  /** Claims a message for as long as it takes to send it. False if another portal may be sending it. */
  readonly claim: (id: string, term: number) => Promise<boolean>;
  /** Notes who has taken an incident. False if there is no such open incident. */
  readonly take: (take: Take, at: number) => Promise<boolean>;
};

export type WriteOptions = {
  /** How far this portal has read. */
  readonly since: number;
  readonly at: number;
  /** Of a portal that leads. Without it a portal hands over what it has done alone. */
  readonly term?: number | undefined;
};

const TOPIC = 'incidents';
/** A try to send a message is given up after 15 s. */
const LEASE_MS = 20_000;
/** The incident with the highest `changed` is never deleted: the next change gets that number plus 1. */
const NEWEST_STAYS = 'and changed < (select max(changed) from incidents where brand = $brand)';

export function createIncidentStore(database: Database): IncidentStore {
  const id = randomUUID();
  return {
    lead: database.lead,
    state: database.state,
    watch: (follow) => database.watch(TOPIC, follow),
    read: async (since) => {
      const rows = await database.read<IncidentRow>(
        'select * from incidents where brand = $brand and changed > $1 order by started_at, id',
        [since],
      );
      const messages = await database.read<MessageRow>(
        'select * from messages where brand = $brand order by number',
      );
      return {
        incidents: rows.map(readIncident),
        outbox: messages.map(readOutgoing),
        until: findNewest(since, rows),
      };
    },
    write: (changes, { since, at, term }) =>
      database.transaction(async (tx) => {
        if (term !== undefined) await requireTerm(tx, term);
        const rows = await tx.query<IncidentRow>(
          'select * from incidents where brand = $brand and changed > $1',
          [since],
        );
        const options = { at, areOursLeading: term !== undefined };
        const merged = mergeChanges(changes, rows.map(readIncident), options);
        await writeIncidents(tx, merged.incidents, findNewest(since, rows) + 1);
        await deleteRows(tx.change, {
          table: 'incidents',
          column: 'id',
          values: merged.forgotten,
          condition: NEWEST_STAYS,
        });
        await writeMessages(tx, merged.waiting);
        await deleteRows(tx.change, { table: 'messages', column: 'id', values: merged.done });
        await tx.announce(TOPIC);
      }),
    claim: (message, term) =>
      database.transaction(async (tx) => {
        await requireTerm(tx, term);
        const claimed = await tx.change(
          `update messages set leased_by = $1, leased_until = $now + $2
           where brand = $brand and id = $3 and (leased_by is null or leased_by = $1 or leased_until <= $now or $4 = 0)`,
          // A portal with a database of its own knows that the process before it has ended.
          [id, LEASE_MS, message, database.isShared ? 1 : 0],
        );
        return claimed === 1;
      }),
    take: (take, at) =>
      database.transaction(async (tx) => {
        const [row] = await tx.query<IncidentRow & { readonly newest: number }>(
          `select *, (select max(changed) from incidents where brand = $brand) as newest
           from incidents where brand = $brand and id = $1 and ended_at is null`,
          [take.id],
        );
        if (row === undefined) return false;
        const incident = readIncident(row);
        if (incident.takenBy === take.by) return true;
        const taken = addEvent({ ...incident, takenBy: take.by }, { at, kind: 'taken', by: take.by });
        await writeIncidents(tx, [taken], row.newest + 1);
        await tx.announce(TOPIC);
        return true;
      }),
  };
}

/** Lets a message that is about no incident wait for its channel, like all others. */
export async function queueMessage(tx: Transaction, outgoing: Outgoing): Promise<void> {
  await writeMessages(tx, [outgoing]);
  await tx.announce(TOPIC);
}

/** The number of the newest change. */
function findNewest(known: number, rows: readonly IncidentRow[]): number {
  return Math.max(known, ...rows.map(({ changed }) => changed));
}

async function writeIncidents(
  { change }: Transaction,
  incidents: readonly KeptIncident[],
  changed: number,
): Promise<void> {
  await insertRows(change, {
    table: 'incidents',
    columns: INCIDENT_COLUMNS,
    rows: incidents.map((incident) => writeIncident(incident, changed)),
    onConflict: `on conflict (brand, id) do update
      set ended_at = excluded.ended_at, changed = excluded.changed, content = excluded.content`,
  });
}

/** A message that was tried is free for the next try. */
async function writeMessages({ query, change }: Transaction, waiting: BookChanges['waiting']): Promise<void> {
  if (waiting.length === 0) return;
  const [last] = await query<{ number: number | null }>(
    'select max(number) as number from messages where brand = $brand',
  );
  const first = (last?.number ?? 0) + 1;
  await insertRows(change, {
    table: 'messages',
    columns: MESSAGE_COLUMNS,
    rows: waiting.map((outgoing, index) => writeMessage(outgoing, first + index)),
    onConflict: `on conflict (brand, id) do update
      set tries = excluded.tries, next_at = excluded.next_at, leased_by = null`,
  });
}
