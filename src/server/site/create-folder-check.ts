import { followState } from '../process/follow-state.ts';

export type FolderCheckDeps = {
  /** The fingerprint of the last load, whether what it found went live or was refused. */
  readonly lastLoaded: () => string;
  readonly readFingerprint: () => Promise<string>;
  /** Called when the folder has changed and is quiet again. The next check waits for it. */
  readonly onChange: (fingerprint: string) => Promise<void>;
  /** Called once when the folder cannot be read, not again for each check. */
  readonly onError: (error: unknown) => void;
};

export type FolderCheck = {
  readonly check: () => Promise<void>;
  /** True from the first sight of a change until it is loaded. */
  readonly isSettling: () => boolean;
};

/**
 * Makes a check of a folder for changes. A caller repeats it every few hundred milliseconds, and sooner while it is settling.
 *
 * It costs a `stat` a file, and unlike `fs.watch` it sees every change: on network and container mounts, when a symbolic
 * link is swapped, and in folders made later. A change counts once two checks in a row agree, so that a file is not
 * loaded while it is being written.
 */
export function createFolderCheck({
  lastLoaded,
  readFingerprint,
  onChange,
  onError,
}: FolderCheckDeps): FolderCheck {
  let lastSeen = lastLoaded();
  const { pass, fail } = followState({ onFail: onError });
  const isSettling = (): boolean => lastSeen !== lastLoaded();
  return {
    isSettling,
    async check() {
      try {
        const seen = await readFingerprint();
        pass();
        const isQuiet = seen === lastSeen;
        lastSeen = seen;
        if (isQuiet && isSettling()) await onChange(seen);
      } catch (error) {
        fail(error);
      }
    },
  };
}
