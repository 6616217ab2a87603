import { MINUTE_MS } from '../../contract/time-units.ts';
import type { Database, Row } from '../store/database.ts';

/** What was known after a window, in bytes. */
export type StoredSnapshot = {
  readonly seq: number;
  readonly checksum: number;
  readonly bytes: Buffer;
};

export type SnapshotMark = Pick<StoredSnapshot, 'seq' | 'checksum'>;

/** What all portals have learned so far, in the database. */
export type SnapshotStore = {
  readonly read: () => Promise<StoredSnapshot | undefined>;
  /** The snapshot without its bytes, of which there may be some megabytes. */
  readonly readMark: () => Promise<SnapshotMark | undefined>;
  /** Saves a snapshot, unless there is one of this window, or of a later one. Removes what nobody needs any more. */
  readonly save: (snapshot: StoredSnapshot) => Promise<void>;
  /** Removes a snapshot that nobody can read. */
  readonly discard: (mark: SnapshotMark) => Promise<void>;
};

/** Windows that are in the snapshot stay for a portal that was away for a moment. */
const KEPT_MS = 10 * MINUTE_MS;

export function createSnapshotStore({ read, change }: Pick<Database, 'read' | 'change'>): SnapshotStore {
  return {
    read: async () => {
      const [row] = await read<Row & { seq: number; checksum: number; bytes: Uint8Array }>(
        'select seq, checksum, bytes from snapshots where brand = $brand',
      );
      return row && { ...row, bytes: Buffer.from(row.bytes) };
    },
    readMark: async () => {
      const [row] = await read<Row & { seq: number; checksum: number }>(
        'select seq, checksum from snapshots where brand = $brand',
      );
      return row;
    },
    save: async ({ seq, checksum, bytes }) => {
      await change(
        `insert into snapshots (brand, seq, checksum, bytes) values ($brand, $1, $2, $3)
         on conflict (brand) do update
         set seq = excluded.seq, checksum = excluded.checksum, bytes = excluded.bytes
         where snapshots.seq < excluded.seq`,
        [seq, checksum, bytes],
      );
      await change(
        `delete from windows where brand = $brand and at < $now - ${KEPT_MS}
         and seq < (select seq from snapshots where brand = $brand)`,
      );
      await change(
        `delete from window_parts where brand = $brand
         and seq < (select min(seq) from windows where brand = $brand)`,
      );
    },
    discard: async ({ seq, checksum }) => {
      await change('delete from snapshots where brand = $brand and seq = $1 and checksum = $2', [
        seq,
        checksum,
      ]);
    },
  };
}
