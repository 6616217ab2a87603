import { createHash } from 'node:crypto';
import type { RecordingStore } from './recording-store.ts';

/** The sessions that were erased. Their pages may still be open, and send more. */
export type ErasedSessions = {
  /** True for those that this process erased, and once they are loaded also for those of earlier processes. */
  readonly has: (session: string) => boolean;
  readonly isLoaded: () => boolean;
  readonly load: () => Promise<void>;
  /** Remembers a session in memory. */
  readonly add: (session: string) => void;
  /** Writes all of them to the disk. */
  readonly save: () => Promise<void>;
  /** Forgets those that were erased before a time. */
  readonly forgetBefore: (time: number) => Promise<void>;
};

export type KeepErasedOptions = {
  readonly store: Pick<RecordingStore, 'readErased' | 'writeErased'>;
  /** Called once, when those of earlier processes are known. */
  readonly onLoaded: () => void;
  readonly now: () => number;
  /** Beyond it, the oldest is forgotten. */
  readonly max?: number;
};

const MAX_ERASED = 10_000;

/**
 * Remembers erased sessions in the store, so that none comes back after a restart. Only hashes are kept: nothing on the disk
 * says which sessions they were. Only one call at a time may change it.
 */
export function keepErased(options: KeepErasedOptions): ErasedSessions {
  const { store, onLoaded, now, max = MAX_ERASED } = options;
  /** When each was erased, by its hash, the oldest first. */
  let times = new Map<string, number>();
  let isLoaded = false;

  return {
    has: (session) => times.size > 0 && times.has(hashOf(session)),
    isLoaded: () => isLoaded,
    load,
    add: (session) => void times.set(hashOf(session), now()),
    save,
    forgetBefore: async (time) => {
      await load();
      const old = [...times].filter(([, at]) => at < time);
      for (const [hash] of old) times.delete(hash);
      if (old.length > 0) await save();
    },
  };

  async function load(): Promise<void> {
    if (isLoaded) return;
    const earlier = await store.readErased();
    times = new Map([...earlier.map(({ hash, at }) => [hash, at] as const), ...times]);
    isLoaded = true;
    onLoaded();
  }

  async function save(): Promise<void> {
    // Not before: it replaces what is on the disk.
    await load();
    const kept = [...times].slice(-max);
    times = new Map(kept);
    await store.writeErased(kept.map(([hash, at]) => ({ hash, at })));
  }
}

function hashOf(session: string): string {
  return createHash('sha256').update(session).digest('hex');
}
