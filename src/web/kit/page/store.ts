/** A value that changes. */
export type Store<T> = {
  /** The same object until something changed. */
  readonly getSnapshot: () => T;
  /** Returns what ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
};
