import type { Effects } from '../effects/effects.ts';

type Timer = { readonly dueAt: number; readonly callback: () => void };

export type FakeClock = Pick<Effects, 'now' | 'setTimer'> & {
  /** Moves the time on from timer to timer, and waits after each until everything has settled. */
  readonly advance: (ms: number) => Promise<void>;
  /** Waits until everything has settled. The time stays the same. */
  readonly settle: () => Promise<void>;
  readonly openTimers: () => number;
};

/** Creates a clock that only a test moves. */
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
  // Each macrotask runs all microtasks before it. Reading a body takes more than one.
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
