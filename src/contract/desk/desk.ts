import * as v from 'valibot';
import { type ToldFault, must } from '../faults/site-fault.ts';
import { MAX_JSON_FILE_BYTES, MAX_WHY_CHARS } from '../limits.ts';
import type { Role } from '../roles.ts';
import type { LineCode } from '../error-codes.ts';
import type { LineFault } from '../line/line-fault.ts';
import { choice, count } from '../site/site-values.ts';
import type { SiteChange } from './site-change.ts';

/** What the desk takes and answers: it keeps the versions of a site, and the drafts of those who change it. */

export type DeskVersion = {
  readonly number: number;
  /** In ms since 1970. */
  readonly at: number;
  /** Who made it go live; empty where nobody was asked. */
  readonly by: string;
  /** How it came to be: at the first start, in the console, in the site folder, or brought back. */
  readonly from: 'start' | 'console' | 'folder' | 'rollback';
  /** A line of text. */
  readonly why: string;
};

/** The largest body of a call that sends no file. It may hold all values of a JSON file. */
export const MAX_DESK_BODY_BYTES = MAX_JSON_FILE_BYTES;
/** The most bytes that the changed files of one draft may have. */
export const MAX_DRAFT_BYTES = 50_000_000;

const why = v.pipe(
  v.string(must('one-line')),
  v.trim(),
  v.maxLength(MAX_WHY_CHARS, must('characters', { most: MAX_WHY_CHARS })),
  v.regex(/^[^\p{Cc}]*$/u, must('one-line')),
);
/** Whose draft: the person's own, or that of the site folder. */
const draft = v.optional(choice(['own', 'folder']), 'own');

/** The hash of the draft, or of the file, that the person has seen. */
const seen = v.optional(v.string(must('text')));

const editPath = v.pipe(
  v.array(
    v.union(
      [
        v.pipe(v.string(), v.maxLength(200)),
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)),
      ],
      must('not-valid'),
    ),
    must('list', { example: '["brand", "name"]' }),
  ),
  v.maxLength(20, must('items', { most: 20 })),
);

/** Sets a value of a JSON file. Without a value it is removed; `insert` puts it before the item at that place of a list. */
const jsonEdit = v.pipe(
  v.strictObject({ path: editPath, value: v.optional(v.unknown()), insert: v.optional(v.boolean()) }),
  v.readonly(),
);

const jsonEdits = v.array(jsonEdit, must('list', { example: '[{ "path": ["start"], "value": "inline" }]' }));

export type JsonEdit = {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly insert?: boolean | undefined;
};

/** The bodies of the desk's calls, by the name of the call. */
export const DESK_BODIES = {
  edit: v.strictObject({
    file: v.string(must('text')),
    edits: v.pipe(
      jsonEdits,
      v.minLength(1, must('not-empty')),
      v.maxLength(1_000, must('items', { most: 1_000 })),
    ),
    /** The hash of the file for which the edits were made: a place in a list is another one in another file. */
    seen,
  }),
  removeFile: v.strictObject({ path: v.string(must('text')) }),
  discard: v.strictObject({ draft, seen }),
  preview: v.strictObject({
    draft,
    /** Of `site.json`: what is being typed, and not in the draft yet. */
    edits: v.optional(v.pipe(jsonEdits, v.maxLength(100, must('items', { most: 100 }))), []),
    /** One of the site, such as `/t/NAME`. */
    path: v.optional(
      v.pipe(v.string(), v.maxLength(100), v.regex(/^\/(?!\/)[\w/-]*$/, must('not-valid'))),
      '/',
    ),
  }),
  testChannel: v.strictObject({
    channel: v.pipe(v.string(must('name')), v.maxLength(32, must('name'))),
  }),
  rebase: v.strictObject({
    draft,
    /** What stays where both changed the same value. Without it a conflict stops the call. */
    keep: v.optional(choice(['mine', 'theirs'])),
  }),
  check: v.strictObject({ draft, lines: v.optional(v.boolean(must('boolean')), false) }),
  publish: v.strictObject({
    draft,
    why,
    basedOn: count,
    seen,
  }),
  restore: v.strictObject({ number: count, why, basedOn: count }),
} as const;

export type DeskBody<Name extends keyof typeof DESK_BODIES> = v.InferOutput<(typeof DESK_BODIES)[Name]>;

/** A value that two people changed to something different. An empty path is the whole file. */
export type DraftConflict = { readonly file: string; readonly path: string };

/** The answer of `GET …/desk`. */
export type DeskState =
  /** Editing is off, or this server keeps no versions. */
  | { readonly isOn: false }
  | {
      readonly isOn: true;
      readonly current: DeskVersion;
      readonly me: { readonly name: string; readonly role: Role };
      /** Null if I have changed nothing. */
      readonly draft: DraftSummary | null;
      /** What was changed in the site folder and is not live, because the current version was made here. */
      readonly folderDraft: DraftSummary | null;
      /** Whether drafts can be previewed. */
      readonly hasPreview: boolean;
    };

export type DraftSummary = {
  readonly basedOn: number;
  readonly revision: number;
  readonly at: number;
  /** The same for the same files. */
  readonly hash: string;
  /** What differs from the version that it is based on. */
  readonly changes: readonly SiteChange[];
};

/** The answer of `GET …/desk/draft`: all files as they would be after publishing. */
export type DeskDraft = {
  readonly current: number;
  /** Null if nothing was changed: then the files are those of the current version. */
  readonly draft: DraftSummary | null;
  readonly files: readonly DeskFile[];
  /** The text of each JSON file by its path. */
  readonly json: Readonly<Record<string, string>>;
};

/** The answer of `POST …/desk/draft/put-file`. */
export type DeskUpload = {
  readonly ok: true;
  /** True for an image of which smaller formats would have taken too long to make. */
  readonly isKeptAsIs: boolean;
};

export type DeskFile = {
  readonly path: string;
  readonly bytes: number;
  readonly hash: string;
  readonly isChanged: boolean;
};

/** The answer of `POST …/desk/draft/preview`. With `?lang=` the page speaks that language. */
export type DeskPreview = {
  readonly url: string;
  /** What keeps the pages from being made with these edits: the preview goes on to show those from before. */
  readonly faults: readonly ToldFault[];
};

/** The answer of `GET …/desk/difference`. */
export type DeskDifference = { readonly changes: readonly SiteChange[] };

/** One line of the answer of `POST …/desk/check`, which goes on until `done`. */
export type CheckEvent =
  | {
      readonly kind: 'files';
      readonly faults: readonly ToldFault[];
      /** What does not stop the draft. */
      readonly warnings: readonly ToldFault[];
      /** Warnings that do not stop it, and that are live already. */
      readonly knownWarnings: readonly ToldFault[];
      /** Keys that were changed and that only an owner may publish. */
      readonly ownerKeys: readonly string[];
      /** How many lines are asked now. */
      readonly lines: number;
    }
  | {
      readonly kind: 'line';
      readonly host: string;
      /** Where the site names it: `line`, `backup`, or `/t/{target}`. */
      readonly role: string;
      readonly addresses: number;
      readonly goodAddresses: number;
      readonly timeMs: number | null;
      readonly faults: readonly CheckedFault[];
    }
  | { readonly kind: 'done'; readonly isGood: boolean };

/** A fault of a line, with the ports that have it. */
export type CheckedFault = {
  readonly code: LineCode;
  readonly problem: string;
  readonly advice: string;
  readonly ports: readonly number[];
  /** What the two texts are made of, for the console to say it in its language. A warning has no `fault`. */
  readonly fault?: LineFault;
};
