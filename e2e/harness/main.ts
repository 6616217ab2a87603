// The engine as it ships, with the effects of a real page, laid open for tests and measurements.
import { createBrowserEffects } from '../../src/engine/effects/browser-effects.ts';
import type { Line } from '../../src/engine/line/build-line.ts';
import { type Probe, probeLine } from '../../src/engine/probe/probe-line.ts';
import { startRace } from '../../src/engine/probe/start-race.ts';
import type { SpeedResult } from '../../src/contract/api/speed-result.ts';

declare global {
  var harness: Harness;
}

export type Harness = {
  /** One probe, from leaving to its result. The marker is that of the test lines, unless another is given. */
  readonly probe: (address: string, marker?: string) => Promise<SpeedResult | undefined>;
  /** A race between these addresses, and who won. */
  readonly race: (addresses: readonly string[]) => Promise<string | undefined>;
  /** For a page opened with `#race=A,B,…` or `#fetch=A`: the ms from its opening until the answer was known. */
  readonly knownAfterMs: Promise<number>;
};

const settings = { ...createBrowserEffects(window), marker: 'waypost-test', markerHeader: 'server' };

function probe(line: Line, signal: AbortSignal): Probe {
  return probeLine(line, settings, signal);
}

async function race(addresses: readonly string[]): Promise<string | undefined> {
  const running = startRace({ probe, cache: { get: () => undefined } }, new AbortController().signal);
  await running.add(addresses.map((address) => ({ host: address, address })));
  return running.winner()?.address;
}

async function measureOpening(): Promise<number> {
  const [task = '', list = ''] = location.hash.slice(1).split('=');
  const addresses = list.split(',');
  if (task === 'race') await race(addresses);
  if (task === 'fetch') await fetch(`${addresses[0]}/speed.php`, { cache: 'no-store' });
  return performance.now();
}

const harness: Harness = {
  probe: (address, marker = settings.marker) =>
    probeLine({ host: address, address }, { ...settings, marker }, new AbortController().signal).result,
  race,
  knownAfterMs: measureOpening(),
};

Object.assign(window, { harness });
