import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { replaceFile } from '../process/replace-file.ts';
import { DeskError } from './desk-error.ts';
import { type WriteFile, listNames } from './object-store.ts';

/** Changes that are not live yet. They belong to one person, and survive a restart. */
export type Draft = v.InferOutput<typeof draftSchema>;

export type DraftStore = {
  /** Undefined if this person has changed nothing. */
  readonly get: (owner: string) => Draft | undefined;
  readonly put: (draft: Draft) => Promise<void>;
  readonly remove: (owner: string) => Promise<void>;
  readonly all: () => readonly Draft[];
  /** False if there is a draft that could not be read. */
  readonly isComplete: boolean;
};

/** The owner of the draft of what was changed in the site folder. No person has this name: a name has no line break. */
export const OUTSIDE = '\noutside';

/** More than any team has people. */
const MAX_DRAFTS = 200;

const draftSchema = v.object({
  owner: v.string(),
  /** When the owner was added to the people, in ms since 1970. */
  since: v.optional(v.number()),
  /** The version that the changes were made to. */
  basedOn: v.number(),
  /** Grows with each change. */
  revision: v.number(),
  /** When it was last changed, in ms since 1970. */
  at: v.number(),
  /** The hash of each changed file by its path; null for a file that was removed. */
  files: v.record(v.string(), v.nullable(v.string())),
});

/** Opens the drafts of a desk. One that is damaged is left alone, and named in the log. */
export async function openDraftStore({
  dir,
  log,
  write = replaceFile,
}: {
  readonly dir: string;
  readonly log: Logger;
  readonly write?: WriteFile;
}): Promise<DraftStore> {
  const folder = join(dir, 'drafts');
  const drafts = new Map<string, Draft>();
  let isComplete = true;
  // By its hash, because a name may hold what a file's name may not.
  const pathOf = (owner: string): string =>
    join(folder, `${createHash('sha256').update(owner).digest('hex').slice(0, 32)}.json`);
  for (const name of (await listNames(folder)).filter((file) => file.endsWith('.json'))) {
    const path = join(folder, name);
    try {
      const draft = v.parse(draftSchema, JSON.parse(await readFile(path, 'utf8')));
      drafts.set(draft.owner, draft);
    } catch (error) {
      isComplete = false;
      log.error({ err: error, path }, 'a draft cannot be read');
    }
  }

  return {
    get: (owner) => drafts.get(owner),
    put: async (draft) => {
      if (drafts.size >= MAX_DRAFTS && !drafts.has(draft.owner)) {
        throw new DeskError('draft-full', `There are ${MAX_DRAFTS} drafts already: discard one first.`);
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(pathOf(draft.owner), Buffer.from(`${JSON.stringify(draft)}\n`));
      drafts.set(draft.owner, draft);
    },
    remove: async (owner) => {
      await rm(pathOf(owner), { force: true });
      drafts.delete(owner);
    },
    all: () => [...drafts.values()],
    isComplete,
  };
}
