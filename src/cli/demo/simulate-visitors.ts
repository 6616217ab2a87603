import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_MARKER_HEADER } from '../../contract/api/headers.ts';
import { requestLine } from '../../line/request-line.ts';
import { type DemoNetwork, NETWORKS, findPassage } from './passage.ts';
import { type VisitDeps, visitPortal } from './visit-portal.ts';

export type SimulationOptions = Pick<VisitDeps, 'portalUrl' | 'marker' | 'ports'> & {
  readonly visitors: number;
};

const PAUSE_MS = { least: 1_500, most: 6_000 };

/** Simulates visitors for as long as the demo runs. A failed visit is ignored. */
export function simulateVisitors(options: SimulationOptions): void {
  for (let visitor = 0; visitor < options.visitors; visitor += 1) {
    const network = NETWORKS[visitor % NETWORKS.length];
    if (network !== undefined) void keepVisiting(network, options);
  }
}

async function keepVisiting(
  network: DemoNetwork,
  { portalUrl, marker, ports }: SimulationOptions,
): Promise<void> {
  for (;;) {
    await wait(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
    await visitPortal({
      portalUrl,
      marker,
      markerHeader: DEFAULT_MARKER_HEADER,
      ports,
      address: drawAddress(network),
      passageTo: (host) => findPassage(network, host),
      fetch,
      askLine: (address) => requestLine(address, { now: () => performance.now() }),
      random: Math.random,
      now: Date.now,
    }).catch(() => undefined); // The portal may be starting or ending.
  }
}

/** Spread over the whole network, so that the limit of reports for each part of it is not reached. */
function drawAddress({ prefix }: DemoNetwork): string {
  return prefix.includes(':')
    ? `${prefix}:${drawByte().toString(16)}::1`
    : `${prefix}.${drawByte()}.${drawByte()}`;
}

function drawByte(): number {
  return Math.floor(Math.random() * 256);
}
