export type FolderWatch = {
  /** The folder as it was last loaded. */
  readonly fingerprint: string;
  readonly readFingerprint: () => Promise<string>;
  /** Called once the folder has changed and is quiet again. The next look waits for it. */
  readonly onChange: () => Promise<void>;
  /** Called once when looking begins to fail, not again for each look. */
  readonly onError: (error: unknown) => void;
};

/**
 * Watches a folder by looking at it, and returns the look. A caller repeats it every few hundred milliseconds.
 *
 * Looking costs a `stat` a file, and unlike `fs.watch` it sees every change: on network and container mounts, when a
 * symbolic link is swapped, and in folders made later. A change counts once two looks in a row agree, so that a file
 * is not loaded while it is being written.
 */
export function watchFolder({
  fingerprint,
  readFingerprint,
  onChange,
  onError,
}: FolderWatch): () => Promise<void> {
  let loaded = fingerprint;
  let lastSeen = fingerprint;
  let hasFailed = false;
  return async () => {
    try {
      const seen = await readFingerprint();
      hasFailed = false;
      const isQuiet = seen === lastSeen;
      lastSeen = seen;
      if (!isQuiet || seen === loaded) return;
      loaded = seen;
      await onChange();
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    }
  };
}
