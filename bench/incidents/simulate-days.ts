import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Day, DaySettings } from './simulate-day.ts';

/** Simulates a day with each of these seeds, one on each processor at a time. */
export async function simulateDays(
  seeds: readonly number[],
  settings: Omit<DaySettings, 'seed'>,
): Promise<readonly Day[]> {
  const left = [...seeds];
  const days: Day[] = [];
  async function work(): Promise<void> {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift())
      days.push(await simulateApart({ seed, ...settings }));
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return days;
}

async function simulateApart(settings: DaySettings): Promise<Day> {
  // `advanced`, because a day holds `Infinity`, which JSON cannot write.
  const process = fork('bench/incidents/day.mjs', [JSON.stringify(settings)], { serialization: 'advanced' });
  // If it ends without a message, something is wrong, and it has said what.
  const ended = once(process, 'exit').then(() =>
    Promise.reject(new Error(`seed ${settings.seed}: no result`)),
  );
  const [day] = (await Promise.race([once(process, 'message'), ended])) as [Day]; // It sends only this one.
  return day;
}
