import {
  FAILED_TIME_MS,
  LOADING_TAIL_MS,
  SECOND_BATCH_AFTER_MS,
  SPEED_CHECK_TIMEOUT_MS,
} from '../../src/contract/limits.ts';
import type { MeasurementReport } from '../../src/contract/api/measurement-report.ts';
import type { Luck } from './create-luck.ts';
import type { World } from './create-world.ts';

/** One in two comes by `/r`, which leaves at the first answer; the others look at the rows for a while. */
const REDIRECTED = 0.5;
const LOOKING_MS = 3_000;
/** Which random number is drawn: numbers of a visit, below 0 because hosts have the others. */
const [PATH, PATIENCE] = [-1, -2];

export type Visit = {
  /** Until the first valid answer, the second batch included; where there is none, until the last probe is given up. */
  readonly enterMs: number;
  readonly isLeftStanding: boolean;
  /** How many of the four lines could not be reached. */
  readonly blocked: number;
  /** How long the visitor stayed. */
  readonly stayedMs: number;
  /** What the page would report; indexes count the four, then the fallback hosts. */
  readonly report: Pick<MeasurementReport, 'results' | 'entered'>;
};

/** Lets a visitor try the lines that were picked, and then the fallback hosts. */
export function performVisit(world: World, network: number, picked: readonly number[], luck: Luck): Visit {
  const tried: { index: number; kind: 'valid' | 'refused' | 'silent'; leftMs: number; endMs: number }[] = [];
  let enterMs = Infinity;
  let entered: number | null = null;
  const tryHost = (host: number, index: number, leftMs: number): void => {
    const { kind, timeMs } = world.probe(network, host, luck);
    const endMs = leftMs + Math.min(timeMs, SPEED_CHECK_TIMEOUT_MS);
    tried.push({ index, kind: timeMs > SPEED_CHECK_TIMEOUT_MS ? 'silent' : kind, leftMs, endMs });
    if (kind !== 'valid' || endMs >= enterMs || timeMs > SPEED_CHECK_TIMEOUT_MS) return;
    enterMs = endMs;
    entered = index;
  };
  for (const [index, line] of picked.entries()) tryHost(line, index, 0);
  const lastMs = Math.max(...tried.map(({ endMs }) => endMs));
  const secondMs = entered === null ? Math.min(lastMs, SECOND_BATCH_AFTER_MS) : SECOND_BATCH_AFTER_MS;
  if (enterMs > secondMs) {
    for (let host = world.lines; host < world.hosts; host += 1) {
      tryHost(host, picked.length + host - world.lines, secondMs);
    }
  }
  const isLeftStanding = entered === null;
  if (isLeftStanding) enterMs = secondMs + SPEED_CHECK_TIMEOUT_MS;
  const looksMs =
    luck.draw(PATH) < REDIRECTED ? 0 : LOADING_TAIL_MS - Math.log(1 - luck.draw(PATIENCE)) * LOOKING_MS;
  const leavesMs = Math.max(enterMs, looksMs);
  const results = tried
    .filter(({ leftMs }) => leftMs < leavesMs)
    .map(({ index, kind, leftMs, endMs }) => {
      if (endMs > leavesMs) return { index, outcome: 'open' as const, time: Math.round(leavesMs - leftMs) };
      if (kind === 'valid')
        return { index, outcome: 'valid' as const, time: Math.max(1, Math.round(endMs - leftMs)) };
      return {
        index,
        outcome: kind === 'silent' ? ('timeout' as const) : ('unreachable' as const),
        time: FAILED_TIME_MS,
      };
    });
  return {
    enterMs,
    isLeftStanding,
    stayedMs: leavesMs,
    blocked: picked.filter((line) => !world.isReachable(network, line)).length,
    report: { results, entered },
  };
}
