import type { LineStatus, StateRun } from '../../../contract/console.ts';
import { type Stretch, listStretches } from '../../../contract/list-stretches.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../../contract/time-units.ts';

/** The states of every line in the minutes of the last 24 hours. A minute has the worst state that the line had in it. */
export type LineStates = {
  /** Notes how the lines are now. Call it about once a second. */
  readonly note: (statuses: ReadonlyMap<string, LineStatus>, now: number) => void;
  /**
   * Adds what was noted before this portal was started: the minutes of a line before the one that ran at the time `at`, which was not over.
   * What is noted already stays. The newest comes first.
   */
  readonly recall: (line: { readonly id: string; readonly states: readonly StateRun[] }, at: number) => void;
  /** The last `minutes` of a line, oldest first; `unknown` where nothing was noted. The running one has the state `current`. */
  readonly read: (
    id: string,
    now: number,
    wanted: { readonly minutes: number; readonly current: LineStatus },
  ) => readonly StateRun[];
};

/** The worst first. What is in maintenance is not judged. */
const WORST_FIRST: readonly LineStatus[] = ['maintenance', 'down', 'degraded', 'up', 'unknown'];

/** Remembers the states of the lines, in memory. */
export function keepLineStates(): LineStates {
  const stretches = new Map<string, readonly Stretch[]>();

  return {
    note: (statuses, now) => {
      const minute = Math.floor(now / MINUTE_MS);
      for (const [id, known] of stretches) {
        const kept = known.filter(({ until }) => until > minute - DAY_MINUTES);
        if (kept.length === 0) stretches.delete(id);
        else if (kept.length < known.length) stretches.set(id, kept);
      }
      for (const [id, status] of statuses) stretches.set(id, noteMinute(stretches.get(id), status, minute));
    },
    recall: ({ id, states }, at) => {
      const known = stretches.get(id) ?? [];
      const running = Math.floor(at / MINUTE_MS);
      const end = Math.min(running, known[0]?.from ?? Infinity);
      const earlier = listStretches(states, running + 1)
        .filter(({ status, from }) => status !== 'unknown' && from < end)
        .map(({ status, from, until }) => ({ status, from, until: Math.min(until, end) }));
      if (earlier.length > 0) stretches.set(id, [...earlier, ...known]);
    },
    read: (id, now, { minutes, current }) => {
      const end = Math.floor(now / MINUTE_MS);
      const first = end - minutes + 1;
      const runs: StateRun[] = [];
      let next = first;
      for (const { status, from, until } of stretches.get(id) ?? []) {
        addRun(runs, 'unknown', Math.min(from, end) - next);
        next = Math.max(next, Math.min(from, end));
        addRun(runs, status, Math.min(until, end) - next);
        next = Math.max(next, Math.min(until, end));
      }
      addRun(runs, 'unknown', end - next);
      addRun(runs, current, 1);
      return runs;
    },
  };
}

function noteMinute(known: readonly Stretch[] = [], status: LineStatus, minute: number): readonly Stretch[] {
  // If the clock was set back, what was noted of the time to come is void.
  const past = known
    .filter(({ from }) => from <= minute)
    .map(({ status: noted, from, until }) => ({ status: noted, from, until: Math.min(until, minute + 1) }));
  const last = past.at(-1);
  if (last === undefined || last.until < minute)
    return [...past, { status, from: minute, until: minute + 1 }];
  const isNoted = last.until > minute;
  const worst = isNoted ? findWorse(last.status, status) : status;
  if (worst === last.status) return [...past.slice(0, -1), { ...last, until: minute + 1 }];
  const before = isNoted ? { ...last, until: minute } : last;
  return [
    ...past.slice(0, -1),
    ...(before.from < before.until ? [before] : []),
    { status: worst, from: minute, until: minute + 1 },
  ];
}

function findWorse(one: LineStatus, other: LineStatus): LineStatus {
  return WORST_FIRST.indexOf(one) < WORST_FIRST.indexOf(other) ? one : other;
}

/** Adds minutes to the end of a list. */
function addRun(runs: StateRun[], status: LineStatus, minutes: number): void {
  if (minutes <= 0) return;
  const last = runs.at(-1);
  if (last?.status === status) runs[runs.length - 1] = { status, minutes: last.minutes + minutes };
  else runs.push({ status, minutes });
}
