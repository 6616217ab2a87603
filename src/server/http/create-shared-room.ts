/** Memory that many senders share. However many of them send as much as they can, none gets what is left for the next. */
export type SharedRoom = {
  /**
   * Keeps room for some bytes, and returns what gives it back, once. Undefined if there is no room for them now. Without a
   * sender, all that is left may be used.
   */
  readonly take: (sender: string | undefined, bytes: number) => (() => void) | undefined;
  readonly heldBytes: () => number;
};

/** One sender may hold this part of the room that is left, so that others always find some. */
const SENDER_PART = 1 / 8;

export function createSharedRoom(maxBytes: number): SharedRoom {
  let heldBytes = 0;
  const heldBySender = new Map<string, number>();
  return {
    take: (sender, bytes) => {
      const left = maxBytes - heldBytes;
      const share = sender === undefined ? left : left * SENDER_PART - (heldBySender.get(sender) ?? 0);
      if (bytes > share) return undefined;
      hold(sender, bytes);
      return () => hold(sender, -bytes);
    },
    heldBytes: () => heldBytes,
  };

  function hold(sender: string | undefined, bytes: number): void {
    heldBytes += bytes;
    if (sender === undefined) return;
    const held = (heldBySender.get(sender) ?? 0) + bytes;
    if (held === 0) heldBySender.delete(sender);
    else heldBySender.set(sender, held);
  }
}
