import type { ConsoleLine } from '../../contract/console.ts';

/** A line of which nothing is known but what a test says. */
export function sampleLine(known: Partial<ConsoleLine>): ConsoleLine {
  return {
    id: known.host ?? '',
    host: '',
    role: 'line',
    status: 'up',
    judgedBy: null,
    since: null,
    faults: [],
    handedOut: null,
    tried: null,
    reached: null,
    p50: null,
    p95: null,
    failingNetworks: null,
    reachedByMinute: [],
    ...known,
  };
}
