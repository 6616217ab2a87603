import type { Effects } from '../effects/effects.ts';

type Timer = { readonly dueAt: number; readonly callback: () => void };

export type FakeClock = Pick<Effects, 'now' | 'setTimer'> & {
  /** Lets time go by, timer by timer, and lets everything that follows from each settle. */
  readonly advance: (ms: number) => Promise<void>;
  /** Lets everything that is ready settle, without any time going by. */
  readonly settle: () => Promise<void>;
  readonly openTimers: () => number;
};

/** A clock that stands still until it is told to go on. */
export function createFakeClock(startAt = 1_800_000_000_000): FakeClock {
  const timers = new Set<Timer>();
  let time = startAt;

  return {
    now: () => time,
    setTimer(callback, delayMs) {
      const timer = { dueAt: time + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const until = time + ms;
      await settle();
      for (;;) {
        const [next] = [...timers]
          .filter(({ dueAt }) => dueAt <= until)
          .toSorted((a, b) => a.dueAt - b.dueAt);
        if (!next) break;
        timers.delete(next);
        time = next.dueAt;
        next.callback();
        await settle();
      }
      time = until;
    },
    settle,
    openTimers: () => timers.size,
  };
}

async function settle(): Promise<void> {
  // A macrotask lets every microtask before it run; a few, because a body is read in more than one.
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
