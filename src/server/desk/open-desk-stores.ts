import { hostname } from 'node:os';
import type { Database } from '../store/database.ts';
import { type DraftStore, createDraftStore } from './create-draft-store.ts';
import { type FileStore, createFileStore } from './create-file-store.ts';
import { type FolderStore, createFolderStore } from './create-folder-store.ts';
import { type VersionStore, createVersionStore } from './create-version-store.ts';

/** Everything that a desk keeps. */
export type DeskStores = {
  readonly files: FileStore;
  readonly versions: VersionStore;
  readonly drafts: DraftStore;
  readonly folder: FolderStore;
};

export type DeskStoresOptions = {
  readonly database: Pick<Database, 'isShared' | 'read' | 'change' | 'transaction'>;
  /** The folder that the site began with. */
  readonly siteDir: string;
  readonly now: () => number;
};

export function openDeskStores({ database, siteDir, now }: DeskStoresOptions): DeskStores {
  const files = createFileStore(database);
  // A data folder may move to another machine with its portal, and so may the site folder.
  const place = database.isShared ? `${hostname()}:${siteDir}` : '';
  return {
    files,
    versions: createVersionStore({ database, files, now }),
    drafts: createDraftStore(database),
    folder: createFolderStore(database, place),
  };
}
