import type { InConsoleLanguages } from '../../../contract/console-language.ts';
import type {
  CheckEvent,
  DeskDraft,
  DeskState,
  DeskVersion,
  DraftConflict,
} from '../../../contract/desk/desk.ts';
import type { SiteChange } from '../../../contract/desk/site-change.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import type { Store } from '../../../contract/create-store.ts';
import type { Refusal } from '../../live/call-server.ts';
import type { DraftJson } from './draft-files.ts';

/** The person's own draft, or that of the site folder. */
export type DraftChoice = 'own' | 'folder';

export type CheckedLine = Extract<CheckEvent, { kind: 'line' }>;

/** What the last check of the draft has found so far. */
export type Checked = {
  readonly isRunning: boolean;
  /** It ended before all was checked. */
  readonly hasFailed: boolean;
  readonly hasLines: boolean;
  /** Undefined until the files were read. */
  readonly files: Extract<CheckEvent, { kind: 'files' }> | undefined;
  /** False while `files` is what the check before has found. */
  readonly areFilesNew: boolean;
  readonly lines: readonly CheckedLine[];
};

/** What the last call that the operator waited for has brought. */
export type Outcome =
  | { readonly kind: 'published'; readonly version: DeskVersion; readonly before: number }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly sentences?: InConsoleLanguages | undefined;
      readonly faults: readonly ToldFault[];
      /** What the draft changes, if that is not what the operator has seen. */
      readonly changes?: readonly SiteChange[] | undefined;
    }
  | { readonly kind: 'lost' }
  /** An image was taken without smaller formats of it. */
  | { readonly kind: 'kept-as-is'; readonly path: string }
  /** Somebody else has published meanwhile, and has changed these, too. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly DraftConflict[] };

/** What was typed and is not in the draft. */
export type Typed = {
  readonly value: unknown;
  /** Why it was not taken. */
  readonly problem: TypedFault | Told | undefined;
};

/** What the form itself has found wrong, by the name of its text: the operator may choose another language later. */
export type TypedFault = 'noMoment' | 'noNumber' | 'noReason' | 'targetExists' | 'targetNameWrong';

/** Why something was refused. */
export type Told = {
  /** Undefined if the server was not asked. */
  readonly code?: string | undefined;
  /** In English if it is the server's. */
  readonly message: string;
  readonly sentences?: InConsoleLanguages | undefined;
};

/** All that the desk shows. */
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
  /** By the name of its field. */
  readonly typed: Readonly<Record<string, Typed>>;
  readonly checked: Checked | undefined;
  /** Of what was changed in the site folder. */
  readonly checkedFolder: Checked | undefined;
  readonly outcome: Outcome | undefined;
};

export const NOTHING_LOADED: DraftSnapshot = {
  desk: undefined,
  draft: undefined,
  json: {},
  hasFailed: false,
  isSignedOut: false,
  isBusy: false,
  typed: {},
  checked: undefined,
  checkedFolder: undefined,
  outcome: undefined,
};

/** The snapshot, for those who change a part of it. */
export type DraftState = Pick<Store<DraftSnapshot>, 'getSnapshot'> & {
  readonly update: (changes: Partial<DraftSnapshot>) => void;
};

/** What a refused call has brought. */
export function readOutcome({ code, message, sentences, details }: Refusal): Outcome {
  // What is in the details depends on the code, see `src/contract/desk`.
  const {
    faults = [],
    conflicts = [],
    changes,
  } = details as {
    readonly faults?: readonly ToldFault[];
    readonly conflicts?: readonly DraftConflict[];
    readonly changes?: readonly SiteChange[];
  };
  const isConflict = code === 'version-conflict' || code === 'draft-conflict';
  return isConflict
    ? { kind: 'conflict', conflicts }
    : { kind: 'refused', code, message, sentences, faults, changes };
}
