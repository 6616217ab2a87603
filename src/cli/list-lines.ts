import type { SiteConfig } from '../contract/site/site-config.ts';
import type { Site } from '../server/site/parse-site.ts';
import { buildTargetAddress, listLineAddresses } from '../engine/line/build-address.ts';

/** A host of the site that a page may probe and send a visitor to. */
export type SiteLine = {
  readonly host: string;
  /** Where the site names it: `line`, `backup`, or `/t/{target}`. */
  readonly role: string;
  /** Every address that a visitor may meet it under today, one for each port. */
  readonly addresses: readonly string[];
};

const DAY_MS = 86_400_000;

type SiteHost = SiteConfig['lines']['hosts'][number];

/** Lists every line of a site, the backups and the addresses of the `/t` targets too. */
export function listLines(
  { config, targets }: Pick<Site, 'config' | 'targets'>,
  now: number,
): readonly SiteLine[] {
  const today = Math.floor(now / DAY_MS);
  const { hosts, fallback, ports } = config.lines;
  const list = (role: string, entries: readonly SiteHost[]): readonly SiteLine[] =>
    entries.map(toHostEntry).map((entry) => ({
      host: entry.host,
      role,
      addresses: listLineAddresses(entry, ports, today),
    }));
  const ofTargets = [...targets].flatMap(([name, { hosts: ofTarget }]) =>
    ofTarget.map((host) => ({ host, role: `/t/${name}`, addresses: targetAddresses(host) })),
  );
  return [...list('line', hosts), ...list('backup', fallback), ...ofTargets];
}

function targetAddresses(host: string): readonly string[] {
  const built = buildTargetAddress(host);
  return built.kind === 'address' ? [built.address] : [];
}

function toHostEntry(entry: SiteHost): { readonly host: string; readonly noWWW: boolean } {
  return typeof entry === 'string'
    ? { host: entry, noWWW: false }
    : { host: entry.host, noWWW: entry.noWWW ?? false };
}
