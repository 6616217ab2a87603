import { createSharedRoom } from '../http/create-shared-room.ts';
import type { WaitingMessage } from './write-messages.ts';
import { readReason } from '../../contract/read-code.ts';
import { shareRun } from '../process/share-run.ts';

export type WriteQueue = {
  /** Takes a message to write it soon. False if too much is waiting already, of this sender or of everyone. */
  readonly add: (message: WaitingMessage, sender: string | undefined) => boolean;
  /** Writes what waits, some messages at a time. It never rejects: what could not be written waits for the next call. */
  readonly flush: () => Promise<void>;
  readonly bytes: () => number;
  /** Why nothing gets into the database. Null if all is well. */
  readonly fault: () => string | null;
};

export type WriteQueueOptions = {
  readonly write: (messages: readonly WaitingMessage[]) => Promise<void>;
  readonly maxBytes: number;
  readonly onFault: (error: unknown) => void;
  readonly now: () => number;
};

type Held = { readonly message: WaitingMessage; readonly release: () => void; readonly since: number };

/** A database that has not taken a message for this long is too slow. */
const SLOW_AFTER_MS = 10_000;
/** Of one transaction. */
const MAX_BATCH_MESSAGES = 100;
const MAX_BATCH_BYTES = 2_000_000;

/** Holds messages in memory until they are written, so that no visitor waits for the database. */
export function createWriteQueue({ write, maxBytes, onFault, now }: WriteQueueOptions): WriteQueue {
  const waiting = new Set<Held>();
  // Until it is in the database, a message takes room here.
  const room = createSharedRoom(maxBytes);
  let failure: string | null = null;

  return {
    add: (message, sender) => {
      const release = room.take(sender, message.bytes);
      if (release === undefined) return false;
      waiting.add({ message, release, since: now() });
      return true;
    },
    flush: shareRun(writeBatches),
    bytes: room.heldBytes,
    fault: () => failure ?? findSlowness(),
  };

  async function writeBatches(): Promise<void> {
    while (waiting.size > 0) {
      const batch = chooseBatch();
      try {
        await write(batch.map(({ message }) => message));
      } catch (error) {
        failure = readReason(error);
        onFault(error);
        return;
      }
      failure = null;
      for (const held of batch) {
        waiting.delete(held);
        held.release();
      }
    }
  }

  function chooseBatch(): readonly Held[] {
    const batch: Held[] = [];
    let bytes = 0;
    for (const held of waiting) {
      batch.push(held);
      bytes += held.message.bytes;
      if (batch.length >= MAX_BATCH_MESSAGES || bytes >= MAX_BATCH_BYTES) break;
    }
    return batch;
  }

  function findSlowness(): string | null {
    const [oldest] = waiting;
    const waitedMs = Math.abs(now() - (oldest?.since ?? now()));
    return waitedMs > SLOW_AFTER_MS ? `nothing was written for ${Math.round(waitedMs / 1_000)} s` : null;
  }
}
