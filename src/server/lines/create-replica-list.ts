import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { FALLBACK_HOST_COUNT, MAX_LINES } from '../../contract/limits.ts';
import type { Database, Row } from '../store/database.ts';
import type { SharedLineView } from './agree-on-line.ts';
import { HOUR_MS } from '../../contract/time-units.ts';

/** What a replica tells the others of itself. */
export type ReplicaReport = {
  readonly name: string;
  readonly startedAt: number;
  readonly siteVersion: number;
  /** Of the content of its site folder, see `PublishedSite`. */
  readonly siteHash: string;
  /** Null until it has asked every line, or where it does not watch them. */
  readonly lines: SharedLineView | null;
};

export type Replica = ReplicaReport & {
  readonly isThis: boolean;
  /** Since when nothing was heard of it, in ms since 1970; undefined while it is there. */
  readonly goneSince: number | undefined;
};

/** Who serves this site. */
export type ReplicaList = {
  /** This replica first, then those that run, then those that ended without saying so. */
  readonly replicas: () => readonly Replica[];
  /** Tells the others of this replica, and reads what they tell. The server calls it once a second. It never fails. */
  readonly exchangeReports: () => Promise<void>;
  /** Tells the others that this replica ends. */
  readonly close: () => Promise<void>;
};

export type ReplicaListOptions = {
  readonly database: Pick<Database, 'isShared' | 'read' | 'change'>;
  readonly describeSelf: () => ReplicaReport;
};

type PortalRow = Row & { readonly report: string; readonly seen_at: number; readonly silent_ms: number };

/** A replica that has been silent for this long is gone. */
const GONE_AFTER_MS = 10_000;
/** A replica that has been silent for this long is forgotten. */
const FORGET_AFTER_MS = HOUR_MS;
/** All lines and backups may be down. */
const MAX_IDS = MAX_LINES + FALLBACK_HOST_COUNT;
const lineIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(16))), v.maxLength(MAX_IDS));
const reportSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    name: v.string(),
    startedAt: v.number(),
    siteVersion: v.number(),
    siteHash: v.string(),
    lines: v.nullable(v.object({ isCutOff: v.boolean(), down: lineIds, dead: lineIds })),
  }),
);

/**
 * Replicas find each other in the database: each writes its report every second. The database's clock decides who is gone.
 * Where no other portal can use the database, nothing is written.
 */
export function createReplicaList({ database, describeSelf }: ReplicaListOptions): ReplicaList {
  const id = randomUUID();
  let others: readonly Replica[] = [];
  return {
    replicas: () => [{ ...describeSelf(), isThis: true, goneSince: undefined }, ...others],
    exchangeReports: async () => {
      if (!database.isShared) return;
      try {
        await writeReport();
        others = await readOthers();
      } catch {
        others = []; // The database is away, and what it knew of the others is no longer true.
      }
    },
    close: async () => {
      if (!database.isShared) return;
      // If the database is away, the others find out by themselves.
      await database
        .change('delete from portals where brand = $brand and id = $1', [id])
        .catch(() => undefined);
    },
  };

  async function writeReport(): Promise<void> {
    await database.change(
      `insert into portals (brand, id, report, seen_at) values ($brand, $1, $2, $now)
       on conflict (brand, id) do update set report = excluded.report, seen_at = excluded.seen_at`,
      [id, JSON.stringify(describeSelf())],
    );
  }

  async function readOthers(): Promise<readonly Replica[]> {
    const rows = await database.read<PortalRow>(
      'select report, seen_at, $now - seen_at as silent_ms from portals where brand = $brand and id <> $1',
      [id],
    );
    if (rows.some(isForgotten))
      await database.change('delete from portals where brand = $brand and seen_at <= $now - $1', [
        FORGET_AFTER_MS,
      ]);
    return rows
      .filter((row) => !isForgotten(row))
      .flatMap(readRow)
      .toSorted(
        (a, b) =>
          Number(a.goneSince !== undefined) - Number(b.goneSince !== undefined) || a.startedAt - b.startedAt,
      );
  }
}

function isForgotten({ silent_ms: silentMs }: PortalRow): boolean {
  return silentMs >= FORGET_AFTER_MS;
}

/** A report in another form, of another release, hides no other replica. */
function readRow({ report, seen_at: seenAt, silent_ms: silentMs }: PortalRow): readonly Replica[] {
  const { success, output } = v.safeParse(reportSchema, report);
  if (!success) return [];
  return [{ ...output, isThis: false, goneSince: silentMs < GONE_AFTER_MS ? undefined : seenAt }];
}
