/** Memory that many senders share. Each sender may use an eighth of the free room, so a flood never fills it. */
export type SharedRoom = {
  /**
   * Keeps room for some bytes. The returned function gives it back, and must be called once. Undefined if there is not enough
   * room now. Without a sender, all the free room may be used.
   */
  readonly take: (sender: string | undefined, bytes: number) => (() => void) | undefined;
  readonly heldBytes: () => number;
};

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
