import { join } from 'node:path';
import type { Logger } from 'pino';
import { followState } from '../process/follow-state.ts';
import { repeat } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import { withDeadline } from '../process/with-deadline.ts';
import { createFileReplacer } from './create-file-replacer.ts';
import type { StoreState } from './database.ts';

export type FolderWatch = Service & {
  /** Writes a small file. It never rejects. */
  readonly tryWrite: () => Promise<void>;
  readonly state: () => StoreState;
};

export type FolderWatchDeps = {
  readonly dir: string;
  readonly onLook: (isUp: boolean) => void;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly now: () => number;
  readonly limitMs?: number;
};

const FILE = 'can-be-written';
const LOOK_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 30_000;

/** Finds out whether a folder can be written, also while nobody has anything to write. */
export function createFolderWatch({
  dir,
  onLook,
  log,
  now,
  limitMs = LOOK_LIMIT_MS,
}: FolderWatchDeps): FolderWatch {
  const replace = createFileReplacer(join(dir, FILE));
  const { state, pass, fail } = followState({
    now,
    onFail: (error) => log.error({ err: error }, 'the data folder cannot be written'),
    onPass: () => log.info('the data folder can be written again'),
  });
  return {
    tryWrite,
    state,
    start: () => repeat(tryWrite, () => LOOK_EVERY_MS, { name: 'data folder: look', log, firstPauseMs: 0 }),
  };

  async function tryWrite(): Promise<void> {
    try {
      const writing = replace(Buffer.from(new Date(now()).toISOString()));
      await withDeadline(writing, limitMs, `${dir} does not answer`);
      pass();
    } catch (error) {
      fail(error);
    }
    onLook(state().isUp);
  }
}
