import { startPortal } from '../e2e/support/start-portal.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { startLineHosts } from '../src/line/start-line-hosts.ts';
import { startRelay } from './start-relay.ts';
import { startUsualPage } from './start-usual-page.ts';

const MARKER = 'waypost-test';

export type DistantLine = LineBehaviour & { readonly host: string; readonly roundTripMs: number };

export type DistantWorldSettings = {
  readonly portalRoundTripMs: number;
  readonly lines: readonly DistantLine[];
};

export type DistantWorld = {
  readonly portalUrl: string;
  /** The usual redirect page, as far away as the portal. */
  readonly usualUrl: string;
  /** Those of the lines, in their order. */
  readonly addresses: readonly string[];
  readonly close: () => Promise<void>;
};

/** Starts the shipped portal and its lines, each at its own distance. */
export async function startDistantWorld({
  portalRoundTripMs,
  lines: distantLines,
}: DistantWorldSettings): Promise<DistantWorld> {
  const hosts = Object.fromEntries(distantLines.map(({ host, ...behaviour }) => [host, behaviour]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts });
  const linePort = lines.ports[0] ?? 0;
  const lineRelays = await Promise.all(
    distantLines.map(({ roundTripMs }) => startRelay(linePort, roundTripMs)),
  );
  const addresses = distantLines.map(({ host }, index) => `http://${host}:${lineRelays[index]?.port}`);
  const fallback = [1, 2, 3, 4].map((number) => `http://backup${number}.localhost:${linePort}`);
  const portal = await startPortal({ site: { lines: { marker: MARKER, hosts: addresses, fallback } } });
  const portalPort = Number(new URL(portal.url).port);
  const usual = await startUsualPage(portalPort);
  const portalRelay = await startRelay(portalPort, portalRoundTripMs);
  const usualRelay = await startRelay(usual.port, portalRoundTripMs);
  return {
    portalUrl: `http://localhost:${portalRelay.port}`,
    usualUrl: `http://localhost:${usualRelay.port}/`,
    addresses,
    async close() {
      for (const { close } of [...lineRelays, portalRelay, usualRelay, usual]) close();
      await portal.close();
      await lines.close();
    },
  };
}
