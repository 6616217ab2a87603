import type {
  CheckEvent,
  DeskDraft,
  DeskState,
  DeskVersion,
  DraftConflict,
  JsonEdit,
} from '../../../contract/desk/desk.ts';
import type { SiteFault } from '../../../contract/error-codes.ts';
import { type Store, createStore } from '../../../contract/store.ts';
import type { Answer, DeskApi, Refusal } from './create-desk-api.ts';
import { type DraftJson, parseFiles } from './draft-files.ts';

export type CheckedLine = Extract<CheckEvent, { kind: 'line' }>;

/** What the last check of the draft has found so far. */
export type Checked = {
  readonly isRunning: boolean;
  readonly hasLines: boolean;
  /** Undefined until the files were read. */
  readonly files: Extract<CheckEvent, { kind: 'files' }> | undefined;
  readonly lines: readonly CheckedLine[];
};

/** What the last call that the operator waited for has brought. */
export type Outcome =
  | { readonly kind: 'published'; readonly version: DeskVersion; readonly before: number }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly faults: readonly SiteFault[];
    }
  | { readonly kind: 'lost' }
  /** Somebody else has published meanwhile, and has changed these, too. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly DraftConflict[] };

/** What was typed and is not in the draft. */
export type Typed = {
  readonly value: unknown;
  /** Why it was not taken. */
  readonly problem: string | undefined;
  /** The code of the server's refusal, if it was refused there. */
  readonly code?: string | undefined;
};

export type DraftSnapshot = {
  /** Undefined until it is loaded. */
  readonly desk: DeskState | undefined;
  readonly draft: DeskDraft | undefined;
  readonly json: DraftJson;
  /** The desk could not be loaded. */
  readonly hasFailed: boolean;
  readonly isSignedOut: boolean;
  /** A call that the operator waits for is under way. */
  readonly isBusy: boolean;
  readonly typed: Readonly<Record<string, Typed>>;
  readonly checked: Checked | undefined;
  readonly outcome: Outcome | undefined;
};

/** A change of the draft. It is made when it is sent, of the draft as it is then. */
export type Change =
  | {
      readonly kind: 'edit';
      readonly file: string;
      readonly makeEdits: (json: DraftJson) => readonly JsonEdit[];
    }
  | { readonly kind: 'put'; readonly path: string; readonly content: Blob }
  | { readonly kind: 'remove'; readonly path: string };

export type DraftStore = Store<DraftSnapshot> & {
  /** Loads the draft again. What was typed stays. */
  readonly load: () => Promise<void>;
  /** Keeps what is being typed in a field. */
  readonly type: (name: string, value: unknown, problem?: string) => void;
  readonly forget: (name: string) => void;
  /** Sends the changes of a field. What was typed there is kept until the server has it. True if it has. */
  readonly save: (name: string, changes: readonly Change[]) => Promise<boolean>;
  /** Whether a change of a field is on its way to the server. */
  readonly isSaving: (name: string) => boolean;
  /** Sends again what could not be sent. */
  readonly retry: () => Promise<void>;
  /** Checks the draft; with its lines, if they are wanted. A new check ends the one before. */
  readonly check: (options: { readonly lines: boolean }) => Promise<void>;
  readonly publish: (why: string, choice?: DraftChoice) => Promise<boolean>;
  readonly restore: (number: number, why: string) => Promise<boolean>;
  readonly discard: (choice?: DraftChoice) => Promise<boolean>;
  readonly rebase: (keep?: 'mine' | 'theirs') => Promise<boolean>;
  /** The console has noticed that the session has ended. Returns whether something typed would be lost. */
  readonly signOut: () => boolean;
  readonly dismiss: () => void;
};

type DraftChoice = 'own' | 'outside';

/** The changes of a field, and what was typed there when they were made. */
type Saving = { readonly changes: readonly Change[]; readonly typed: unknown };

/** Creates the one store of the draft: it loads it, sends the changes one after the other, and loses nothing. */
export function createDraftStore(api: DeskApi): DraftStore {
  const { getSnapshot, subscribe, set } = createStore<DraftSnapshot>({
    desk: undefined,
    draft: undefined,
    json: {},
    hasFailed: false,
    isSignedOut: false,
    isBusy: false,
    typed: {},
    checked: undefined,
    outcome: undefined,
  });
  /** What could not be sent, by the name of its field. */
  const unsent = new Map<string, Saving>();
  /** What the server has of a field. The field shows it as it was typed until the draft is loaded with it. */
  const taken = new Map<string, unknown>();
  /** How many changes of a field are under way. */
  const saving = new Map<string, number>();
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let checking = new AbortController();

  return {
    getSnapshot,
    subscribe,
    load: () => inTurn(load, { isQuiet: true }),
    type: (name, value, problem) => keepTyped(name, { value, problem }),
    forget: (name) => {
      unsent.delete(name);
      dropTyped(name);
    },
    isSaving: (name) => saving.has(name),
    // What is typed while it waits for its turn is not what is sent.
    save: (name, changes) => send(name, { changes, typed: getSnapshot().typed[name]?.value }),
    retry: async () => {
      await inTurn(load);
      for (const [name, change] of new Map(unsent)) await send(name, change);
    },
    check,
    publish: (why, draft = 'own') =>
      inTurn(async () => {
        const before = numberOfCurrent();
        return settle(await api.publish({ draft, why, basedOn: before }), (version) => ({
          kind: 'published',
          version,
          before,
        }));
      }),
    restore: (number, why) =>
      inTurn(async () => {
        const before = numberOfCurrent();
        return settle(await api.restore({ number, why, basedOn: before }), (version) => ({
          kind: 'published',
          version,
          before,
        }));
      }),
    discard: (draft = 'own') =>
      inTurn(async () => {
        const isDone = await settle(await api.discard({ draft }), () => undefined);
        if (isDone && draft === 'own') {
          unsent.clear();
          update({ typed: {}, checked: undefined });
        }
        return isDone;
      }),
    rebase: (keep) =>
      inTurn(async () => settle(await api.rebase({ draft: 'own', ...(keep && { keep }) }), () => undefined)),
    signOut: () => {
      const hasTyped = Object.keys(getSnapshot().typed).length > 0;
      if (hasTyped) update({ isSignedOut: true });
      return hasTyped;
    },
    dismiss: () => update({ outcome: undefined }),
  };

  /** One call after the other: each one is made of what the one before has brought. Nobody waits for a quiet one. */
  function inTurn<T>(job: () => Promise<T>, { isQuiet = false } = {}): Promise<T> {
    count(isQuiet ? 0 : 1);
    const done = queue.then(job).finally(() => count(isQuiet ? 0 : -1));
    // Whoever waits for the job gets its error. The jobs after it go on.
    queue = done.catch(() => undefined);
    return done;
  }

  function count(by: number): void {
    waiting += by;
    if (getSnapshot().isBusy !== waiting > 0) update({ isBusy: waiting > 0 });
  }

  async function load(): Promise<void> {
    const state = await api.readState();
    if (state.kind !== 'done') return fail(state);
    const draft = state.data.isOn ? await api.readDraft() : undefined;
    if (draft !== undefined && draft.kind !== 'done') return fail(draft);
    update({
      desk: state.data,
      draft: draft?.data,
      json: parseFiles(draft?.data.json ?? {}),
      hasFailed: false,
      isSignedOut: false,
      typed: leaveOutTaken(),
    });
  }

  /** What was typed and is not in the draft that was just loaded. Who has typed on meanwhile keeps that. */
  function leaveOutTaken(): DraftSnapshot['typed'] {
    const rest = Object.entries(getSnapshot().typed).filter(
      ([name, { value }]) => !taken.has(name) || taken.get(name) !== value,
    );
    taken.clear();
    return Object.fromEntries(rest);
  }

  function fail(answer: Exclude<Answer<unknown>, { kind: 'done' }>): void {
    update({ hasFailed: true, ...(answer.kind === 'signed-out' && { isSignedOut: true }) });
  }

  async function send(name: string, change: Saving): Promise<boolean> {
    saving.set(name, (saving.get(name) ?? 0) + 1);
    try {
      return await inTurn(() => save(name, change));
    } finally {
      const left = (saving.get(name) ?? 1) - 1;
      if (left === 0) saving.delete(name);
      else saving.set(name, left);
    }
  }

  async function save(name: string, change: Saving): Promise<boolean> {
    unsent.set(name, change);
    for (const part of change.changes) {
      const answer = await apply(part);
      if (answer.kind === 'done') continue;
      const typed = getSnapshot().typed[name];
      if (answer.kind === 'refused') {
        unsent.delete(name);
        // A field shows it beside itself. A button has no such place.
        if (typed === undefined) update({ outcome: describeRefusal(answer) });
        else keepTyped(name, { value: typed.value, problem: answer.message, code: answer.code });
      } else {
        // It counts as not saved, and is sent again by `retry`.
        keepTyped(name, { value: (typed ?? { value: change.typed }).value, problem: undefined });
        update(answer.kind === 'signed-out' ? { isSignedOut: true } : { outcome: { kind: 'lost' } });
      }
      return false;
    }
    unsent.delete(name);
    taken.set(name, change.typed);
    await load();
    const { hasFailed, isSignedOut } = getSnapshot();
    if (hasFailed && !isSignedOut) update({ outcome: { kind: 'lost' } });
    void check({ lines: false });
    return true;
  }

  async function apply(change: Change): Promise<Answer<unknown>> {
    switch (change.kind) {
      case 'edit': {
        const edits = change.makeEdits(getSnapshot().json);
        return edits.length === 0
          ? { kind: 'done', data: undefined }
          : api.edit({ file: change.file, edits });
      }
      case 'put':
        return api.putFile(change.path, change.content);
      case 'remove':
        return api.removeFile(change.path);
    }
  }

  async function check({ lines }: { readonly lines: boolean }): Promise<void> {
    checking.abort();
    const mine = new AbortController();
    checking = mine;
    const begun: Checked = { isRunning: true, hasLines: lines, files: undefined, lines: [] };
    // The faults of the files stay until there are new ones: a field must not lose its fault for a moment.
    let found = { ...begun, files: getSnapshot().checked?.files };
    update({ checked: found });
    const answer = await api.check({ draft: 'own', lines }, onEvent, mine.signal);
    if (mine.signal.aborted) return;
    if (answer.kind === 'signed-out') update({ isSignedOut: true });
    if (answer.kind === 'refused') update({ outcome: { ...answer, faults: [] } });
    if (answer.kind === 'lost') update({ outcome: { kind: 'lost' } });
    update({ checked: { ...found, isRunning: false } });

    function onEvent(event: CheckEvent): void {
      if (mine.signal.aborted) return;
      if (event.kind === 'files') found = { ...found, files: event };
      if (event.kind === 'line') found = { ...found, lines: [...found.lines, event] };
      update({ checked: found });
    }
  }

  /** Tells what became of a call that the operator waits for, and loads what it has changed. */
  async function settle<T>(answer: Answer<T>, describe: (data: T) => Outcome | undefined): Promise<boolean> {
    switch (answer.kind) {
      case 'done':
        // What is still being checked is not the draft any more.
        checking.abort();
        update({ outcome: describe(answer.data), checked: undefined });
        await load();
        return true;
      case 'refused':
        update({ outcome: describeRefusal(answer) });
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

  function numberOfCurrent(): number {
    const { desk } = getSnapshot();
    return desk?.isOn === true ? desk.current.number : 0;
  }

  function keepTyped(name: string, typed: Typed): void {
    update({ typed: { ...getSnapshot().typed, [name]: typed } });
  }

  function dropTyped(name: string): void {
    const { [name]: dropped, ...typed } = getSnapshot().typed;
    if (dropped !== undefined) update({ typed });
  }

  function update(changes: Partial<DraftSnapshot>): void {
    set({ ...getSnapshot(), ...changes });
  }
}

function describeRefusal({ code, message, details }: Refusal): Outcome {
  // What is in the details depends on the code, see `src/contract/desk`.
  const { faults = [], conflicts = [] } = details as {
    readonly faults?: readonly SiteFault[];
    readonly conflicts?: readonly DraftConflict[];
  };
  const isConflict = code === 'version-conflict' || code === 'draft-conflict';
  return isConflict ? { kind: 'conflict', conflicts } : { kind: 'refused', code, message, faults };
}
