import { hash } from 'node:crypto';
import type { HostEntry, WrittenHostEntry } from '../../contract/api/host-entry.ts';
import { nameHost, parseHost } from '../../contract/site/parse-host.ts';
import type { SiteConfig } from '../../contract/site/site-config.ts';
import {
  type FindExclusions,
  type LinePolicy,
  createFindExclusions,
  createLinePolicy,
} from './create-line-policy.ts';

/** A line of the site, or one of its fallback hosts. */
export type SiteLine = HostEntry & {
  /** The host's one name, however its entry is written. Pages know the line by the same name. */
  readonly host: string;
  /** The entry as the hostname call sends it: as the operator wrote it. */
  readonly written: WrittenHostEntry;
  /** Stands for the host inside a ticket, which would be too long with eight host names. */
  readonly id: string;
  /** How many visitors it may have, compared with the other lines. */
  readonly weight: number;
  readonly policy: LinePolicy;
};

export type LineTable = {
  readonly lines: readonly SiteLine[];
  /** The fallback hosts that are not lines. */
  readonly backups: readonly SiteLine[];
  /** The ids of all fallback hosts, in the order of the site folder. */
  readonly fallbackIds: readonly string[];
  /** Every line, the fallback ones too. */
  readonly byId: ReadonlyMap<string, SiteLine>;
  /** The line that a page belongs to, whatever its port and the day of its `www` name. Undefined for any other site. */
  readonly findByPage: (page: URL) => SiteLine | undefined;
  readonly findExclusions: FindExclusions;
};

/** Makes the hosts of a site ready to be handed out. */
export function createLineTable({ hosts, fallback }: SiteConfig['lines']): LineTable {
  const lines = hosts.map(createLine);
  const fallbackLines = fallback.map((host) => createLine({ host }));
  const lineIds = new Set(lines.map(({ id }) => id));
  return {
    lines,
    backups: fallbackLines.filter(({ id }) => !lineIds.has(id)),
    fallbackIds: fallbackLines.map(({ id }) => id),
    byId: new Map([...lines, ...fallbackLines].map((line) => [line.id, line])),
    findByPage: createFindByPage([...lines, ...fallbackLines]),
    findExclusions: createFindExclusions(lines.map(({ policy }) => policy)),
  };
}

function createFindByPage(lines: readonly SiteLine[]): LineTable['findByPage'] {
  const byPage = new Map<string, SiteLine>();
  for (const line of lines) {
    const parts = parseHost(line.host);
    if (parts.kind === 'refused') continue;
    const site = `${parts.scheme ?? 'https'}://${parts.hostname}`;
    // Two lines may have the same name and different ports.
    if (parts.port !== undefined) byPage.set(`${site}:${parts.port}`, line);
    if (!byPage.has(site)) byPage.set(site, line);
  }
  return ({ protocol, hostname, port }) => {
    // A name of the site folder may begin like that of a day.
    for (const name of [hostname, hostname.replace(/^www\d+\./, '')]) {
      const line = byPage.get(`${protocol}//${name}:${port}`) ?? byPage.get(`${protocol}//${name}`);
      if (line !== undefined) return line;
    }
    return undefined;
  };
}

function createLine({
  host: entry,
  noWWW,
  weight = 1,
  ...rules
}: SiteConfig['lines']['hosts'][number]): SiteLine {
  const host = nameHost(entry);
  const id = hash('sha256', host, 'base64url').slice(0, 8);
  return {
    host,
    noWWW,
    written: noWWW ? { host: entry, noWWW } : entry,
    id,
    weight,
    policy: createLinePolicy(id, rules),
  };
}
