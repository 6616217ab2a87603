import { FAILED_TIME_MS } from '../../contract/limits.ts';
import { linkAbort } from '../effects/link-abort.ts';
import type { Line } from '../line/build-line.ts';
import type { Prober } from './create-prober.ts';

export type Race = {
  /** Aborts when the race is won, or when the outer signal aborts. */
  readonly signal: AbortSignal;
  readonly winner: () => Line | undefined;
  /**
   * Adds lines to the race. A line that is in it already is not probed twice. If the cache knows times for some of the
   * new lines, only the fastest of those is probed. Resolves when all of these probes have ended, so that no request or
   * timer is left.
   */
  readonly add: (lines: readonly Line[]) => Promise<void>;
};

/** Starts a race: the first line with a valid answer wins, and the others are aborted. */
export function startRace({ probe, cache }: Pick<Prober, 'probe' | 'cache'>, outer: AbortSignal): Race {
  const controller = linkAbort(outer);
  const entered = new Set<string>();
  let winner: Line | undefined;

  async function enter(line: Line): Promise<void> {
    if (entered.has(line.host) || controller.signal.aborted) return;
    entered.add(line.host);
    const { result, verdict } = probe(line, controller.signal);
    if (typeof (await verdict) === 'number' && !controller.signal.aborted) {
      winner = line;
      controller.abort();
    }
    await result;
  }

  return {
    signal: controller.signal,
    winner: () => winner,
    add: async (lines) => {
      const known = findKnown(lines, cache);
      await Promise.all((known ? [known] : lines).map(enter));
    },
  };
}

/** Finds the fastest line by the results of the last 10 seconds. */
function findKnown(lines: readonly Line[], cache: Prober['cache']): Line | undefined {
  let fastest: Line | undefined;
  let fastestMs = FAILED_TIME_MS;
  for (const line of lines) {
    const known = cache.get(line.host);
    if (known?.address !== line.address || known.time >= fastestMs) continue;
    fastest = line;
    fastestMs = known.time;
  }
  return fastest;
}
