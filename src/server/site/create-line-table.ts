import { hash } from 'node:crypto';
import type { HostEntry, WrittenHostEntry } from '../../contract/api/host-entry.ts';
import { nameHost } from '../../contract/site/parse-host.ts';
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
    findExclusions: createFindExclusions(lines.map(({ policy }) => policy)),
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
