import { createContext, useContext, useSyncExternalStore } from 'react';
import type { DeskState } from '../../../contract/desk/desk.ts';
import { OWNER_KEYS } from '../../../contract/desk/owner-keys.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import { type Languages, readLanguages } from '../../../contract/site/locales.ts';
import type { DraftStore } from './create-draft-store.ts';
import type { DraftSnapshot } from './draft-snapshot.ts';
import type { DeskApi } from './create-desk-api.ts';
import { type Path, type Place, SITE_FILE, faultsAt } from './draft-files.ts';

/** What every part of the desk needs. */
export type DeskTools = { readonly store: DraftStore; readonly api: DeskApi };

const DeskContext = createContext<DeskTools | undefined>(undefined);

export const DeskProvider = DeskContext.Provider;

export type UsedDesk = DeskTools & {
  readonly snapshot: DraftSnapshot;
  /** Undefined until it is loaded, and where editing is off. */
  readonly desk: Extract<DeskState, { isOn: true }> | undefined;
  readonly languages: Languages;
  /** Whether the operator may look only. */
  readonly isViewer: boolean;
  /** Whether the operator has a draft that can be previewed. A viewer has none. */
  readonly hasPreview: boolean;
  /** What the last check has found at a place. */
  readonly findFaults: (place: Place) => readonly ToldFault[];
  /** Why the operator may not change a value of `site.json`; undefined if they may. */
  readonly findLock: (path: Path) => 'viewer' | 'owner' | undefined;
};

/** The draft as it is now, and what may be done with it. */
export function useDesk(): UsedDesk {
  const tools = useContext(DeskContext);
  if (tools === undefined) throw new Error('useDesk works only below a DeskProvider');
  const { store } = tools;
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  const desk = snapshot.desk?.isOn === true ? snapshot.desk : undefined;
  const role = desk?.me.role ?? 'viewer';
  const isViewer = role === 'viewer';
  return {
    ...tools,
    snapshot,
    desk,
    languages: readLanguages(snapshot.json[SITE_FILE]),
    isViewer,
    hasPreview: desk?.hasPreview === true && !isViewer,
    findFaults: (place) => faultsAt(snapshot.checked?.files?.faults ?? [], place),
    findLock: (path) => {
      if (isViewer) return 'viewer';
      const key = `${path.join('.')}.`;
      return role === 'editor' && OWNER_KEYS.some((owned) => key.startsWith(`${owned}.`))
        ? 'owner'
        : undefined;
    },
  };
}
