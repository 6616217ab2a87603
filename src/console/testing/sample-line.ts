import type { ConsoleLine } from '../../contract/console.ts';

/** Creates a line for a test. What the test does not say is unknown. */
export function sampleLine(known: Partial<ConsoleLine>): ConsoleLine {
  return {
    id: known.host ?? '',
    host: '',
    role: 'line',
    status: 'up',
    judgedBy: null,
    isDoubted: false,
    since: null,
    maintenance: null,
    rules: [],
    faults: [],
    handedOut: null,
    moved: null,
    tried: null,
    reached: null,
    p50: null,
    p95: null,
    failingNetworks: null,
    reachedByMinute: [],
    states: [],
    ...known,
  };
}
