/** A value that changes. It is what the engine, the pages and the console show React. */
export type Store<T> = {
  /** The same object until something changed. */
  readonly getSnapshot: () => T;
  /** Returns what ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
};

export type WritableStore<T> = Store<T> & {
  /** Replaces the value, and tells every subscriber. */
  readonly set: (next: T) => void;
};

/** Creates a store. It is here because the start script hands its stores to another script, and all parts share them. */
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
