export type EventLog<T> = {
  readonly add: (event: T) => void;
  /**
   * Calls back for every new event, and first for those that nobody has heard yet. The returned function ends the subscription.
   */
  readonly subscribe: (onEvent: (event: T) => void) => () => void;
  /** Drops the events that nobody has heard yet. */
  readonly clear: () => void;
};

/** A page that fails in a loop must not fill the memory. */
const MAX_UNHEARD = 99;

/** Creates a log that keeps its events until somebody listens, because its listeners load after the page. */
export function createEventLog<T>(): EventLog<T> {
  const subscribers = new Set<(event: T) => void>();
  let unheard: T[] = [];
  return {
    add(event) {
      if (subscribers.size === 0 && unheard.length < MAX_UNHEARD) unheard.push(event);
      for (const notify of subscribers) notify(event);
    },
    subscribe(onEvent) {
      subscribers.add(onEvent);
      const kept = unheard;
      unheard = [];
      for (const event of kept) onEvent(event);
      return () => subscribers.delete(onEvent);
    },
    clear: () => void (unheard = []),
  };
}
