export type Follower<Wish> = {
  /** Says what is wanted now. */
  readonly want: (wish: Wish) => void;
  readonly stop: () => void;
};

/** Asks for something that changes fast: a moment after a change, one call at a time, and always for the newest wish. */
export function createFollower<Wish, Answer>({
  ask,
  onAnswer,
  waitMs,
}: {
  readonly ask: (wish: Wish) => Promise<Answer>;
  readonly onAnswer: (answer: Answer, wish: Wish) => void;
  readonly waitMs: number;
}): Follower<Wish> {
  let next: { readonly wish: Wish } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const stopping = new AbortController();

  return {
    want: (wish) => {
      next = { wish };
      // The timer is not started anew, so the page also follows somebody who types without a pause.
      if (!isAsking) timer ??= setTimeout(() => void run(), waitMs);
    },
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
    },
  };

  async function run(): Promise<void> {
    timer = undefined;
    isAsking = true;
    while (next !== undefined && !stopping.signal.aborted) {
      const { wish } = next;
      next = undefined;
      const answer = await ask(wish);
      if (!stopping.signal.aborted) onAnswer(answer, wish);
    }
    isAsking = false;
  }
}
