import { DAY_MS } from '../../../contract/time-units.ts';
import type { HostEntry } from '../../../contract/api/host-entry.ts';
import type { Site } from '../../site/parse-site.ts';
import { buildTargetLine, listLineAddresses } from '../../../engine/line/build-line.ts';

/** A host that a page may probe and send visitors to, with all of its addresses. */
export type ListedLine = {
  readonly host: string;
  /** Where the site names it: `line`, `backup`, or `/t/{target}`. */
  readonly role: string;
  /** Every address that a page may build for it today, one for each port. */
  readonly addresses: readonly string[];
};

/** Lists every line of a site, the backups and the addresses of the `/t` targets too. */
export function listLines(
  { config, targets }: Pick<Site, 'config' | 'targets'>,
  now: number,
): readonly ListedLine[] {
  const today = Math.floor(now / DAY_MS);
  const { hosts, fallback, ports } = config.lines;
  const list = (role: string, entry: HostEntry): ListedLine => ({
    host: entry.host,
    role,
    addresses: listLineAddresses(entry, ports, today),
  });
  return [
    ...hosts.map((entry) => list('line', entry)),
    ...fallback.map((host) => list('backup', { host })),
    ...[...targets].flatMap(([name, target]) => target.hosts.map((host) => listTargetHost(name, host))),
  ];
}

function listTargetHost(target: string, host: string): ListedLine {
  const line = buildTargetLine(host);
  return { host, role: `/t/${target}`, addresses: 'address' in line ? [line.address] : [] };
}
