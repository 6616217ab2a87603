import { setImmediate as letOthersWork } from 'node:timers/promises';

/** Work that can be interrupted after each step. */
export type Steps<T> = Generator<void, T>;

/** Watches how long the main thread is busy with one thing, because every visitor of that moment waits. */
export type StepWatch = {
  /** Does something at once. */
  readonly run: <T>(step: string, work: () => T) => T;
  /** Takes steps for at most 5 ms at a time, and lets others work in between. */
  readonly runSteps: <T>(step: string, steps: Steps<T>) => Promise<T>;
};

export type StepWatchDeps = {
  readonly metrics: { readonly countLongStep: (step: string) => void };
  readonly log: { readonly warn: (fields: object, text: string) => void };
  /** Clocks in ms: the time that has passed, and the processor time of this process. */
  readonly clocks?: readonly (() => number)[];
  readonly longStepMs?: number;
};

const LONG_STEP_MS = 20;
const TURN_MS = 5;
const CLOCKS = [
  () => performance.now(),
  () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
];

export function createStepWatch({
  metrics,
  log,
  clocks = CLOCKS,
  longStepMs = LONG_STEP_MS,
}: StepWatchDeps): StepWatch {
  return {
    run,
    runSteps: async (step, steps) => {
      for (;;) {
        const turn = run(step, () => takeTurn(steps));
        if (turn.done) return turn.value;
        await letOthersWork();
      }
    },
  };

  function run<T>(step: string, work: () => T): T {
    const before = clocks.map((read) => read());
    try {
      return work();
    } finally {
      // The main thread was busy for at most the time that has passed, and at most the processor time of all threads.
      const ms = Math.min(...clocks.map((read, index) => read() - (before[index] ?? 0)));
      if (ms > longStepMs) {
        metrics.countLongStep(step);
        log.warn({ step, ms: Math.round(ms * 10) / 10 }, 'a step took long: visitors had to wait for it');
      }
    }
  }

  function takeTurn<T>(steps: Steps<T>): IteratorResult<void, T> {
    const [now = () => 0] = clocks;
    const endsAt = now() + TURN_MS;
    for (;;) {
      const result = steps.next();
      if (result.done || now() >= endsAt) return result;
    }
  }
}

/** Takes all steps at once. */
export function takeSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const result = steps.next();
    if (result.done) return result.value;
  }
}
