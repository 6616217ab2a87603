/** A value that changes. Pages and the console subscribe to it. */
export type Store<T> = {
  /** The same object until something changed. */
  readonly getSnapshot: () => T;
  /** The returned function ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
};

export type WritableStore<T> = Store<T> & {
  /** Replaces the value, and tells every subscriber. */
  readonly set: (next: T) => void;
};

/** Creates a store. It is in the contract because the engine, the pages and the console all use it. */
export function createStore<T>(initial: T): WritableStore<T> {
  const subscribers = new Set<() => void>();
  let value = initial;
  return {
    getSnapshot: () => value,
    subscribe(onChange) {
      subscribers.add(onChange);
      return () => subscribers.delete(onChange);
    },
    set(next) {
      value = next;
      for (const notify of subscribers) notify();
    },
  };
}
