import type { Database, Row, Transaction } from '../store/database.ts';

/** How a site folder and the versions are related. */
export type FolderState = {
  /** The last version that was the same as the folder; 0 before the first. */
  readonly version: number;
  /** A hash of the folder as it was last seen. */
  readonly seen: string;
};

/** What is known of the site folder of this portal. */
export type FolderStore = {
  /** Names the folder: each machine has one of its own. */
  readonly place: string;
  readonly get: () => Promise<FolderState>;
  readonly set: (state: FolderState) => Promise<void>;
  /** What is known of a folder with this hash, on any machine. */
  readonly find: (seen: string) => Promise<FolderState | undefined>;
};

type FolderRow = Row & FolderState;

const UNKNOWN: FolderState = { version: 0, seen: '' };

export function createFolderStore(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  place: string,
): FolderStore {
  return {
    place,
    get: async () => {
      const [row = UNKNOWN] = await read<FolderRow>(
        'select version, seen from site_folders where brand = $brand and place = $1',
        [place],
      );
      return row;
    },
    set: (state) => transaction((tx) => setFolder(tx, { place, ...state })),
    find: async (seen) => {
      const [row] = await read<FolderRow>(
        'select version, seen from site_folders where brand = $brand and seen = $1 order by version desc limit 1',
        [seen],
      );
      return row;
    },
  };
}

export async function setFolder(
  { change }: Transaction,
  { place, version, seen }: FolderState & { readonly place: string },
): Promise<void> {
  await change(
    `insert into site_folders (brand, place, version, seen) values ($brand, $1, $2, $3)
     on conflict (brand, place) do update set version = excluded.version, seen = excluded.seen`,
    [place, version, seen],
  );
}
