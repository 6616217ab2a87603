import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_MARKER_HEADER } from '../../contract/api/headers.ts';
import type { LineHosts } from '../../line/start-line-hosts.ts';
import { requestLine } from '../../line/request-line.ts';
import type { LineBehaviour } from '../../line/line-behaviour.ts';
import { findOutage, findPassage } from './trouble.ts';
import { type VisitDeps, visitPortal } from './visit-portal.ts';

export type SimulationOptions = Pick<VisitDeps, 'portalUrl' | 'marker' | 'ports'> & {
  readonly visitors: number;
  readonly lines: Pick<LineHosts, 'set'>;
  readonly behaviours: Readonly<Record<string, LineBehaviour>>;
};

/** Reserved ranges: for benchmarks (RFC 2544), for carriers (RFC 6598), for documentation (RFC 3849). */
const NETWORKS = ['198.18', '198.19', '100.64', '100.65', '100.66', '2001:db8'];
const PAUSE_MS = { least: 1_500, most: 6_000 };
const OUTAGE_CHECK_MS = 2_000;

/** Simulates visitors for as long as the demo runs. A failed visit is ignored. */
export function simulateVisitors(options: SimulationOptions): void {
  for (let visitor = 0; visitor < options.visitors; visitor += 1) void keepVisiting(visitor, options);
  if (options.visitors > 0) void keepBreaking(options);
}

async function keepVisiting(visitor: number, { portalUrl, marker, ports }: SimulationOptions): Promise<void> {
  const network = NETWORKS[visitor % NETWORKS.length] ?? '';
  for (;;) {
    await wait(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
    await visitPortal({
      portalUrl,
      marker,
      markerHeader: DEFAULT_MARKER_HEADER,
      ports,
      address: drawAddress(network),
      passageTo: (host) => findPassage(network, host, Date.now()),
      fetch,
      askLine: (address) => requestLine(address, { now: () => performance.now() }),
      random: Math.random,
      now: Date.now,
    }).catch(() => undefined); // The portal may be starting or ending.
  }
}

/** Takes one line after the other down for a while, so that the console has something to show. */
async function keepBreaking({ lines, behaviours }: SimulationOptions): Promise<void> {
  const hosts = Object.keys(behaviours).filter((host) => host.startsWith('line'));
  let broken: string | undefined;
  for (;;) {
    const next = findOutage(hosts, Date.now());
    if (next !== broken) {
      if (broken !== undefined) lines.set(broken, behaviours[broken] ?? {});
      if (next !== undefined) lines.set(next, { fault: 'refuse' });
      broken = next;
    }
    await wait(OUTAGE_CHECK_MS);
  }
}

/** Spread over the whole network, so that the limit of reports for each part of it is not reached. */
function drawAddress(network: string): string {
  return network.includes(':')
    ? `${network}:${drawByte().toString(16)}::1`
    : `${network}.${drawByte()}.${drawByte()}`;
}

function drawByte(): number {
  return Math.floor(Math.random() * 256);
}
