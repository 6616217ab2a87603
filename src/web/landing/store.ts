/** A value that changes, as `useSyncExternalStore` wants it. */
export type Store<T> = {
  /** The same object until something changed. */
  readonly getSnapshot: () => T;
  /** Returns what ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
};
