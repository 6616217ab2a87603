type State = { readonly isUp: boolean; readonly since: number };

type StateFollower = {
  /** Whether it works, and since when that has been so. */
  readonly state: () => State;
  readonly pass: () => void;
  readonly fail: (error?: unknown) => void;
};

type FollowStateOptions = {
  readonly now?: () => number;
  /** Called when it begins to fail, and not for each failure after that. */
  readonly onFail: (error: unknown) => void;
  /** Called when it works again. */
  readonly onPass?: () => void;
};

/** Follows whether something works, and reports each change once. Assumes at first that it works. */
export function followState({ now = Date.now, onFail, onPass }: FollowStateOptions): StateFollower {
  let state: State = { isUp: true, since: now() };
  return {
    state: () => state,
    pass: () => {
      if (state.isUp) return;
      state = { isUp: true, since: now() };
      onPass?.();
    },
    fail: (error) => {
      if (!state.isUp) return;
      state = { isUp: false, since: now() };
      onFail(error);
    },
  };
}
