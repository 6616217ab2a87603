import { makeCertificate, type Certificate } from '../e2e/support/make-certificate.ts';
import { startPortalNginx } from '../e2e/support/start-portal-nginx.ts';
import { startPortal } from '../e2e/support/start-portal.ts';
import type { LineBehaviour } from '../src/line/line-behaviour.ts';
import { startLineHosts } from '../src/line/start-line-hosts.ts';
import { startRelay } from '../src/server/testing/start-relay.ts';
import { startUsualPage } from './start-usual-page.ts';
import { teachPortal } from './teach-portal.ts';

const MARKER = 'waypost-test';
/** TCP, TLS and the request itself. */
const PROBE_ROUND_TRIPS = 3;

export type DistantLine = LineBehaviour & { readonly host: string; readonly roundTripMs: number };

export type DistantWorldSettings = {
  readonly portalRoundTripMs: number;
  readonly lines: readonly DistantLine[];
  /** Everything over https, and each portal behind nginx on the config that we ship. */
  readonly isSecure?: boolean;
  /** A portal for each, with these changes to its site folder. */
  readonly sites?: readonly PortalSite[];
};

export type PortalSite = { readonly start: string; readonly prefetch: string };

export type DistantWorld = {
  /** In the order of the sites. */
  readonly portalUrls: readonly string[];
  /** The usual redirect page, as far away as a portal. */
  readonly usualUrl: string;
  /** Those of the lines, in their order. */
  readonly addresses: readonly string[];
  /** What the browser must trust, if the world is secure. */
  readonly certificate: Certificate | undefined;
  readonly close: () => Promise<void>;
};

/** Starts shipped portals and their lines, each at its own distance. */
export async function startDistantWorld({
  portalRoundTripMs,
  lines: distantLines,
  isSecure = false,
  sites = [{ start: 'calls', prefetch: 'off' }],
}: DistantWorldSettings): Promise<DistantWorld> {
  const certificate = isSecure ? await makeCertificate(['localhost', '*.localhost']) : undefined;
  const scheme = isSecure ? 'https' : 'http';
  const endings: (() => unknown)[] = [];
  const hosts = Object.fromEntries(distantLines.map(({ host, ...behaviour }) => [host, behaviour]));
  const lines = await startLineHosts({ marker: MARKER, ports: [0], hosts, tls: certificate });
  endings.push(lines.close);
  const linePort = lines.ports[0] ?? 0;

  async function relay(port: number, roundTripMs: number): Promise<number> {
    const opened = await startRelay(port, roundTripMs);
    endings.push(opened.close);
    return opened.port;
  }

  const addresses: string[] = [];
  for (const { host, roundTripMs } of distantLines) {
    addresses.push(`${scheme}://${host}:${await relay(linePort, roundTripMs)}`);
  }
  // What a visitor measures of each line, if it answers.
  const times = new Map(
    distantLines.flatMap(({ fault, roundTripMs }, index) =>
      fault === undefined ? [[addresses[index] ?? '', PROBE_ROUND_TRIPS * roundTripMs]] : [],
    ),
  );
  const fallback = [1, 2, 3, 4].map((number) => `${scheme}://backup${number}.localhost:${linePort}`);

  async function openNginx(portalPort: number, tls: Certificate): Promise<number> {
    // The shipped upstreams name two portals.
    const nginx = await startPortalNginx([portalPort, portalPort], tls);
    endings.push(nginx.close);
    return nginx.port;
  }

  const portalUrls: string[] = [];
  let plainPort = 0;
  for (const { start, prefetch } of sites) {
    const network = { trustedProxies: ['127.0.0.1/32'] };
    const siteLines = { marker: MARKER, hosts: addresses, fallback, prefetch };
    const campaigns = { bench: { name: 'bench' } };
    const portal = await startPortal({ site: { start, network, lines: siteLines, campaigns } });
    endings.push(portal.close);
    if (prefetch === 'fastest') await teachPortal(portal.url, times);
    plainPort = Number(new URL(portal.url).port);
    const port = certificate ? await openNginx(plainPort, certificate) : plainPort;
    portalUrls.push(`${scheme}://localhost:${await relay(port, portalRoundTripMs)}`);
  }
  const usual = await startUsualPage(plainPort, certificate);
  endings.push(usual.close);
  return {
    portalUrls,
    usualUrl: `${scheme}://localhost:${await relay(usual.port, portalRoundTripMs)}/`,
    addresses,
    certificate,
    async close() {
      for (const end of endings.toReversed()) await end();
    },
  };
}
