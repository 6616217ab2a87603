import type { Change, Query, Row, Value } from '../store/database.ts';
import { deleteRows, inBatches, listPlaces } from '../store/many-rows.ts';
import type { Session } from './open-sessions.ts';

type SessionRow = Row & {
  readonly key_hash: string;
  readonly id: string;
  readonly person: string | null;
  readonly epoch: number;
  readonly started_at: number;
  readonly seen_at: number;
  readonly confirmed_at: number;
  readonly prefix: string;
};

const SET = `insert into operator_sessions (brand, key_hash, id, person, epoch, started_at, seen_at, confirmed_at, prefix)
  values ($brand, $1, $2, $3, $4, $5, $6, $7, $8) on conflict (brand, key_hash) do nothing`;

/** The newest sessions by the hash of their key, oldest first. */
export async function readNewestSessions(
  query: Query,
  limit: number,
): Promise<readonly (readonly [hash: string, session: Session])[]> {
  const rows = await query<SessionRow>(
    'select * from operator_sessions where brand = $brand order by started_at desc, key_hash limit $1',
    [limit],
  );
  return rows.toReversed().map((row) => [row.key_hash, readRow(row)]);
}

export async function readSession(query: Query, hash: string): Promise<Session | undefined> {
  const [row] = await query<SessionRow>(
    'select * from operator_sessions where brand = $brand and key_hash = $1',
    [hash],
  );
  return row && readRow(row);
}

/** Writes sessions by the hash of their key. Undefined removes one. */
export async function writeSessions(
  change: Change,
  sessions: readonly (readonly [hash: string, session: Session | undefined])[],
): Promise<void> {
  await deleteSessions(
    change,
    sessions.filter(([, session]) => session === undefined).map(([hash]) => hash),
  );
  for (const [hash, session] of sessions) if (session) await change(SET, [hash, ...writeRow(session)]);
}

export function deleteSessions(change: Change, hashes: readonly string[]): Promise<void> {
  return deleteRows(change, { table: 'operator_sessions', column: 'key_hash', values: hashes });
}

/** Notes that these sessions were used. */
export async function setSeen(
  change: Change,
  { hashes, seenAt }: { readonly hashes: readonly string[]; readonly seenAt: number },
): Promise<void> {
  for (const batch of inBatches(hashes))
    await change(
      `update operator_sessions set seen_at = $1
       where brand = $brand and seen_at < $1 and key_hash in (${listPlaces(batch, 2)})`,
      [seenAt, ...batch],
    );
}

function readRow(row: SessionRow): Session {
  return {
    id: row.id,
    person: row.person ?? undefined,
    epoch: row.epoch,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    confirmedAt: row.confirmed_at,
    prefix: row.prefix,
  };
}

function writeRow({ id, person, epoch, startedAt, seenAt, confirmedAt, prefix }: Session): readonly Value[] {
  return [id, person ?? null, epoch, startedAt, seenAt, confirmedAt, prefix];
}
