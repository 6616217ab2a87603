import type { Refusal } from '../../live/call-server.ts';
import type { Change } from './changes.ts';
import { type Place, renameBehind } from './draft-files.ts';
import type { DraftSnapshot, DraftState, Typed } from './draft-snapshot.ts';

/** The changes of a field, with what was typed there, and the draft that was shown, when they were made. */
export type Saving = {
  readonly changes: readonly Change[];
  readonly typed: unknown;
  readonly made: Pick<DraftSnapshot, 'json' | 'draft'>;
};

export type UnsavedFields = {
  /** Keeps what is being typed in a field. */
  readonly type: (name: string, value: unknown, problem?: Typed['problem']) => void;
  readonly forget: (name: string) => void;
  readonly forgetAll: () => void;
  /** What is at a place was removed. What was typed in it goes with it; in a list, what was typed behind it moves up with its item. */
  readonly forgetRemoved: (place: Place) => void;
  readonly isEmpty: () => boolean;
  /** Joins the changes with the value typed now. Later typing is not part of them. */
  readonly begin: (name: string, changes: readonly Change[]) => Saving;
  /** Runs the job that sends changes of a field. */
  readonly whileSaving: <T>(name: string, job: () => Promise<T>) => Promise<T>;
  /** Whether a change of a field is on its way to the server. */
  readonly isSaving: (name: string) => boolean;
  /** Keeps changes until it is known what became of them. */
  readonly keep: (name: string, saving: Saving) => void;
  /** The changes that could not be sent, by the name of their field. */
  readonly listUnsent: () => readonly (readonly [name: string, saving: Saving])[];
  /** The changes could not be sent. The field counts as not saved. */
  readonly lose: (name: string, saving: Saving) => void;
  /** The server has refused the changes. False if there is no field that shows why. */
  readonly refuse: (name: string, refusal: Refusal) => boolean;
  /** The server has the changes. The field shows what was typed until the draft is loaded with it. */
  readonly take: (name: string, saving: Saving) => void;
  /** Returns the typed values without those that the loaded draft now has. A value that was changed meanwhile stays. */
  readonly leaveOutTaken: () => DraftSnapshot['typed'];
};

/** Keeps what was typed into the fields of the desk until the server has it. It makes no calls. */
export function createUnsavedFields({ getSnapshot, update }: DraftState): UnsavedFields {
  const unsent = new Map<string, Saving>();
  /** For each field: the value that the server has taken. */
  const taken = new Map<string, unknown>();
  /** How many changes of a field are under way. */
  const saving = new Map<string, number>();

  return {
    type: (name, value, problem) => show(name, { value, problem }),
    forget: (name) => {
      unsent.delete(name);
      const { [name]: dropped, ...typed } = getSnapshot().typed;
      if (dropped !== undefined) update({ typed });
    },
    forgetAll: () => {
      unsent.clear();
      update({ typed: {} });
    },
    forgetRemoved: (place) => {
      const typed: Record<string, Typed> = {};
      for (const [name, value] of Object.entries(getSnapshot().typed)) {
        const next = renameBehind(name, place);
        // What was to be sent to the old place must not be sent there any more.
        if (next !== name) unsent.delete(name);
        if (next !== undefined) typed[next] = value;
      }
      update({ typed });
    },
    isEmpty: () => Object.keys(getSnapshot().typed).length === 0,
    begin: (name, changes) => ({ changes, typed: typedIn(name)?.value, made: getSnapshot() }),
    whileSaving: async (name, job) => {
      count(name, 1);
      try {
        return await job();
      } finally {
        count(name, -1);
      }
    },
    isSaving: (name) => saving.has(name),
    keep: (name, changes) => void unsent.set(name, changes),
    listUnsent: () => [...unsent],
    lose: (name, { typed }) =>
      show(name, { value: (typedIn(name) ?? { value: typed }).value, problem: undefined }),
    refuse: (name, { code, message, sentences }) => {
      unsent.delete(name);
      const typed = typedIn(name);
      if (typed !== undefined) show(name, { value: typed.value, problem: { code, message, sentences } });
      return typed !== undefined;
    },
    take: (name, { typed }) => {
      unsent.delete(name);
      taken.set(name, typed);
    },
    leaveOutTaken: () => {
      const rest = Object.entries(getSnapshot().typed).filter(
        ([name, { value }]) => !taken.has(name) || taken.get(name) !== value,
      );
      taken.clear();
      return Object.fromEntries(rest);
    },
  };

  function typedIn(name: string): Typed | undefined {
    return getSnapshot().typed[name];
  }

  function show(name: string, typed: Typed): void {
    update({ typed: { ...getSnapshot().typed, [name]: typed } });
  }

  function count(name: string, by: 1 | -1): void {
    const now = (saving.get(name) ?? 0) + by;
    if (now === 0) saving.delete(name);
    else saving.set(name, now);
  }
}
