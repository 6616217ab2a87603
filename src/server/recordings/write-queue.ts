import { createSharedRoom } from '../process/shared-room.ts';
import type { InTurn } from '../process/take-turns.ts';
import type { RecordingFile, RecordingStore } from './recording-store.ts';

export type WriteQueue = {
  /** Takes a frame to write it soon. False if too much is waiting already, of this sender or of everyone. */
  readonly add: (file: RecordingFile, frame: Buffer, sender: string | undefined) => boolean;
  /** Writes what waits, file by file. To be repeated several times a second. It never fails: what fails stays in the queue. */
  readonly flush: () => Promise<void>;
  /** Forgets what waits for these files. */
  readonly drop: (isDropped: (file: RecordingFile) => boolean) => void;
  readonly bytes: () => number;
  /** Why nothing gets to the disk. Null if all is well. */
  readonly fault: () => string | null;
};

export type WriteQueueOptions = {
  readonly store: Pick<RecordingStore, 'append'>;
  /** What changes files does so one after the other. */
  readonly inTurn: InTurn;
  readonly maxBytes: number;
  /** Told how many bytes more are taken of the disk. */
  readonly onWritten: (bytes: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly now: () => number;
};

type HeldFrame = { readonly bytes: Buffer; readonly release: () => void };
type Waiting = RecordingFile & { readonly frames: HeldFrame[]; readonly since: number };

/** A disk that has not taken a message for this long is too slow. */
const SLOW_AFTER_MS = 10_000;

/** Creates what stands between the network and the disk: whoever sends a message never waits for a disk. */
export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { store, inTurn, maxBytes, onWritten, onFault, now } = options;
  const waiting = new Map<string, Waiting>();
  // Until it is on the disk, a frame takes room here.
  const room = createSharedRoom(maxBytes);
  let failure: string | null = null;
  let writingSince: number | undefined;

  return {
    add: ({ day, session }, bytes, sender) => {
      const release = room.take(sender, bytes.length);
      if (release === undefined) return false;
      const key = `${day}/${session}`;
      const found = waiting.get(key) ?? { day, session, frames: [], since: now() };
      found.frames.push({ bytes, release });
      waiting.set(key, found);
      return true;
    },
    flush: async () => {
      // What fails is put back at the end, and waits for the next time.
      const keys = Array.from(waiting.keys());
      for (const key of keys) await inTurn(() => write(key));
    },
    drop: (isDropped) => {
      for (const [key, file] of waiting) {
        if (!isDropped(file)) continue;
        waiting.delete(key);
        releaseAll(file);
      }
    },
    bytes: room.heldBytes,
    fault: () => failure ?? findSlowness(),
  };

  async function write(key: string): Promise<void> {
    const file = waiting.get(key);
    if (file === undefined) return;
    waiting.delete(key);
    writingSince = now();
    try {
      const taken = await store.append(file, Buffer.concat(file.frames.map(({ bytes }) => bytes)));
      releaseAll(file);
      failure = null;
      onWritten(taken);
    } catch (error) {
      putBack(key, file);
      failure = error instanceof Error ? error.message : String(error);
      onFault(error);
    } finally {
      writingSince = undefined;
    }
  }

  function releaseAll({ frames }: Waiting): void {
    for (const { release } of frames) release();
  }

  /** Before those that came meanwhile. */
  function putBack(key: string, file: Waiting): void {
    const later = waiting.get(key)?.frames ?? [];
    waiting.set(key, { ...file, frames: [...file.frames, ...later] });
  }

  function findSlowness(): string | null {
    const [first] = waiting.values();
    const waitedMs = Math.max(
      ...[writingSince, first?.since].map((since = now()) => Math.abs(now() - since)),
    );
    return waitedMs > SLOW_AFTER_MS ? `nothing was written for ${Math.round(waitedMs / 1_000)} s` : null;
  }
}
