import { expect, test } from 'vitest';
import { type Steps, createStepWatch } from './create-step-watch.ts';

/** A watch whose clocks are set by the work: what passes, and what the processor works. */
function openWatch() {
  const clock = { passed: 0, worked: 0 };
  const long: string[] = [];
  const logged: object[] = [];
  const watch = createStepWatch({
    metrics: { countLongStep: (step) => long.push(step) },
    log: { warn: (fields: object) => void logged.push(fields) },
    clocks: [() => clock.passed, () => clock.worked],
  });
  const work = (ms: number): void => {
    clock.passed += ms;
    clock.worked += ms;
  };
  return { ...watch, clock, long, logged, work };
}

test('a step of more than 20 ms is counted and logged by its name', () => {
  const { run, work, long, logged } = openWatch();
  run('fold', () => work(20));
  expect(long).toEqual([]);
  expect(run('fold', () => (work(21), 'done'))).toBe('done');
  expect(long).toEqual(['fold']);
  expect(logged).toEqual([{ step: 'fold', ms: 21 }]);
});

test('time in which the machine did something else does not count', () => {
  const { run, clock, long } = openWatch();
  run('fold', () => void (clock.passed += 500));
  run('fold', () => void (clock.worked += 500));
  expect(long).toEqual([]);
});

test('long work gives way after 5 ms, and is not long then', async () => {
  const { runSteps, work, long } = openWatch();
  let others = 0;
  function* steps(): Steps<string> {
    for (let step = 0; step < 30; step += 1) {
      work(1);
      yield;
      if (step === 0) setImmediate(() => (others = step + 1));
    }
    return 'done';
  }
  expect(await runSteps('fold', steps())).toBe('done');
  expect(others).toBe(1);
  expect(long).toEqual([]);
});
