// The engine as it ships, with the effects of a real page, laid open for tests and measurements.
import { createBrowserEffects } from '../../src/engine/browser-effects.ts';
import { type Line, type Probe, probeLine } from '../../src/engine/probe-line.ts';
import { startRace } from '../../src/engine/start-race.ts';
import type { SpeedResult } from '../../src/contract/speed-result.ts';

export type Harness = {
  /** One probe, from leaving to its result. */
  readonly probe: (address: string) => Promise<SpeedResult | undefined>;
  /** A race between these addresses: who won, and how long after the call that was known. */
  readonly race: (addresses: readonly string[]) => Promise<{ winner: string | undefined; elapsedMs: number }>;
};

const settings = { ...createBrowserEffects(window), marker: 'waypost-test', markerHeader: 'server' };

function probe(line: Line, signal: AbortSignal): Probe {
  return probeLine(line, settings, signal);
}

const harness: Harness = {
  probe: (address) => probe({ host: address, address }, new AbortController().signal).result,
  async race(addresses) {
    const startedAt = performance.now();
    const race = startRace(probe, new AbortController().signal);
    await race.add(addresses.map((address) => ({ host: address, address })));
    return { winner: race.winner()?.address, elapsedMs: performance.now() - startedAt };
  },
};

Object.assign(window, { harness });
