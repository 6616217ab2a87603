import { createLimit } from '../../../contract/create-limit.ts';
import { type Store, createStore } from '../../../contract/create-store.ts';
import type { Answer, Failure } from '../../live/call-server.ts';
import { createChecker } from './create-checker.ts';
import type { DeskApi } from './create-desk-api.ts';
import { createSendChange } from './create-send-change.ts';
import { type Saving, type UnsavedFields, createUnsavedFields } from './create-unsaved-fields.ts';
import { type Change, type EditChange, changeValue } from './changes.ts';
import { type Place, nameOf, parseFiles, placeAround } from './draft-files.ts';
import {
  type DraftChoice,
  type DraftSnapshot,
  type DraftState,
  NOTHING_LOADED,
  type Outcome,
  readOutcome,
} from './draft-snapshot.ts';

export type DraftStore = Store<DraftSnapshot> &
  Pick<UnsavedFields, 'type' | 'forget' | 'isSaving'> & {
    /** Removes what is at a place, with what was typed there. A change of its own may remove more. True if it is gone. */
    readonly remove: (place: Place, change?: EditChange) => Promise<boolean>;
    /** Loads the draft again. What was typed stays. Checks the draft if it was not checked yet. */
    readonly load: () => Promise<void>;
    /** Sends the changes of a field. What was typed there is kept until the server has it. True if it has. */
    readonly save: (name: string, changes: readonly Change[]) => Promise<boolean>;
    /** Resolves when everything that was saved is at the server. */
    readonly settle: () => Promise<void>;
    /** Sends again what could not be sent, and checks again if that has failed. */
    readonly retry: () => Promise<void>;
    /** Checks the draft; with its lines, if they are wanted. A new check ends the one before. */
    readonly check: (options: { readonly lines: boolean }, choice?: DraftChoice) => Promise<void>;
    readonly publish: (why: string, choice?: DraftChoice) => Promise<boolean>;
    readonly restore: (number: number, why: string) => Promise<boolean>;
    readonly discard: (choice?: DraftChoice) => Promise<boolean>;
    readonly rebase: (keep?: 'mine' | 'theirs') => Promise<boolean>;
    /** The console has noticed that the session has ended. Returns whether something typed would be lost. */
    readonly signOut: () => boolean;
    readonly dismiss: () => void;
  };

/** Creates the one store of the draft: it loads it, sends the changes one after the other, and loses nothing. */
export function createDraftStore(api: DeskApi): DraftStore {
  const { getSnapshot, subscribe, set } = createStore<DraftSnapshot>(NOTHING_LOADED);
  const update: DraftState['update'] = (changes) => set({ ...getSnapshot(), ...changes });
  const fields = createUnsavedFields({ getSnapshot, update });
  const checker = createChecker(api, { getSnapshot, update });
  const folderChecker = createChecker(api, { getSnapshot, update }, 'folder');
  const sendChange = createSendChange(api, { getSnapshot, update }, load);
  // Each call starts from the result of the call before.
  const inTurn = createTurns((isBusy) => update({ isBusy }));

  return {
    getSnapshot,
    subscribe,
    type: fields.type,
    forget: fields.forget,
    isSaving: fields.isSaving,
    load: () => inTurn(loadAndCheck, { isQuiet: true }),
    save: (name, changes) => send(name, fields.begin(name, changes)),
    remove,
    settle: () => inTurn(async () => undefined, { isQuiet: true }),
    retry: async () => {
      await inTurn(load);
      // Whatever is sent starts a check of the files alone.
      const { checked } = getSnapshot();
      for (const [name, saving] of fields.listUnsent()) await send(name, saving);
      if (checked?.hasFailed === true) await checker.check({ lines: checked.hasLines });
    },
    check: (options, choice = 'own') => (choice === 'own' ? checker : folderChecker).check(options),
    publish: (why, draft = 'own') => {
      const seen = seenOf(draft);
      return goLive((basedOn) => api.publish({ draft, why, basedOn, ...seen }));
    },
    restore: (number, why) => goLive((basedOn) => api.restore({ number, why, basedOn })),
    discard: (draft = 'own') => {
      const seen = seenOf(draft);
      return inTurn(async () => {
        const isDone = await settle(await api.discard({ draft, ...seen }), () => undefined);
        if (isDone && draft === 'own') {
          fields.forgetAll();
          update({ checked: undefined });
        }
        return isDone;
      });
    },
    rebase: (keep) =>
      inTurn(async () => settle(await api.rebase({ draft: 'own', ...(keep && { keep }) }), () => undefined)),
    signOut: () => {
      if (fields.isEmpty()) return false;
      update({ isSignedOut: true });
      return true;
    },
    dismiss: () => update({ outcome: undefined }),
  };

  /** The draft that is shown, if there is one. */
  function seenOf(choice: DraftChoice): { readonly seen?: string } {
    const { desk, draft } = getSnapshot();
    const folderDraft = desk?.isOn === true ? desk.folderDraft : undefined;
    const shown = choice === 'own' ? draft?.draft : folderDraft;
    return shown ? { seen: shown.hash } : {};
  }

  async function remove(place: Place, change = changeValue(place, undefined)): Promise<boolean> {
    const isItem = typeof place.path.at(-1) === 'number';
    const name = `remove ${nameOf(isItem ? placeAround(place) : place)}`;
    // Until a list is loaded again, another item may be at this place: the second click of a double click must not remove it.
    if (fields.isSaving(name)) return false;
    const isRemoved = await send(name, fields.begin(name, [change]));
    if (isRemoved) fields.forgetRemoved(place);
    return isRemoved;
  }

  async function loadAndCheck(): Promise<void> {
    await load();
    const { draft, checked } = getSnapshot();
    const hasDraft = draft !== undefined && draft.draft !== null;
    if (hasDraft && checked === undefined) void checker.check({ lines: false });
  }

  async function load(): Promise<void> {
    const state = await api.readState();
    if (state.kind !== 'done') return failToLoad(state);
    const draft = state.data.isOn ? await api.readDraft() : undefined;
    if (draft !== undefined && draft.kind !== 'done') return failToLoad(draft);
    update({
      desk: state.data,
      draft: draft?.data,
      json: parseFiles(draft?.data.json ?? {}),
      hasFailed: false,
      isSignedOut: false,
      typed: fields.leaveOutTaken(),
    });
  }

  function failToLoad({ kind }: Failure): void {
    update({ hasFailed: true, ...(kind === 'signed-out' && { isSignedOut: true }) });
  }

  function send(name: string, saving: Saving): Promise<boolean> {
    return fields.whileSaving(name, () => inTurn(() => save(name, saving)));
  }

  async function save(name: string, saving: Saving): Promise<boolean> {
    fields.keep(name, saving);
    for (const change of saving.changes) {
      const answer = await sendChange(change, saving.made);
      if (answer.kind === 'done') continue;
      failToSave(name, saving, answer);
      return false;
    }
    fields.take(name, saving);
    await load();
    const { hasFailed, isSignedOut } = getSnapshot();
    if (hasFailed && !isSignedOut) update({ outcome: { kind: 'lost' } });
    void checker.check({ lines: false });
    return true;
  }

  function failToSave(name: string, saving: Saving, answer: Failure): void {
    switch (answer.kind) {
      case 'refused':
        // A field shows it beside itself. A button has no such place.
        if (!fields.refuse(name, answer)) update({ outcome: readOutcome(answer) });
        return;
      // These are sent again by `retry`.
      case 'signed-out':
        fields.lose(name, saving);
        update({ isSignedOut: true });
        return;
      case 'lost':
        fields.lose(name, saving);
        update({ outcome: answer });
    }
  }

  /** Makes a call that publishes a version, and remembers the version before it. */
  function goLive(call: (basedOn: number) => ReturnType<DeskApi['publish']>): Promise<boolean> {
    // What the operator has seen, and not what is loaded until it is this call's turn.
    const { desk } = getSnapshot();
    const before = desk?.isOn === true ? desk.current.number : 0;
    return inTurn(async () =>
      settle(await call(before), (version) => ({ kind: 'published', version, before })),
    );
  }

  /** Tells what became of a call that the operator waits for, and loads what it has changed. */
  async function settle<T>(answer: Answer<T>, describe: (data: T) => Outcome | undefined): Promise<boolean> {
    switch (answer.kind) {
      case 'done':
        checker.stop();
        folderChecker.stop();
        update({ outcome: describe(answer.data), checked: undefined, checkedFolder: undefined });
        await loadAndCheck();
        return true;
      case 'refused':
        update({ outcome: readOutcome(answer) });
        await load();
        return false;
      case 'signed-out':
        update({ isSignedOut: true });
        return false;
      case 'lost':
        update({ outcome: answer });
        return false;
    }
  }
}

/** Runs a job after all those before it. Nobody waits for a quiet one. */
type InTurn = <T>(job: () => Promise<T>, options?: { readonly isQuiet?: boolean }) => Promise<T>;

/** Runs jobs one after the other. Calls `onWait` when the first waiting starts and the last ends. */
function createTurns(onWait: (isWaiting: boolean) => void): InTurn {
  const inTurn = createLimit(1);
  let waiting = 0;

  return async (job, { isQuiet = false } = {}) => {
    if (isQuiet) return inTurn(job);
    waiting += 1;
    if (waiting === 1) onWait(true);
    try {
      return await inTurn(job);
    } finally {
      waiting -= 1;
      if (waiting === 0) onWait(false);
    }
  };
}
