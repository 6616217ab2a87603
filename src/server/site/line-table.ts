import { createHash } from 'node:crypto';
import { MAX_ROWS } from '../../contract/limits.ts';
import type { SiteConfig } from '../../contract/site-config.ts';

type LineEntry = SiteConfig['lines']['hosts'][number];

export type Line = {
  readonly host: string;
  /** What the hostname call says of it, ready to be joined into a list. */
  readonly json: string;
  /** Stands for the host inside a ticket, which would be too long with eight host names. */
  readonly id: string;
};

export type LineTable = {
  readonly lines: readonly Line[];
  /** The ids of the fallback hosts, with dots between, as a ticket has them. */
  readonly fallbackIds: string;
  /** Every line, the fallback ones too. */
  readonly byId: ReadonlyMap<string, Line>;
};

/** Makes the hosts of a site ready to be handed out. */
export function createLineTable({ hosts, fallback }: SiteConfig['lines']): LineTable {
  const lines = hosts.map(createLine);
  const fallbackLines = fallback.map(createLine);
  return {
    lines,
    fallbackIds: fallbackLines.map(({ id }) => id).join('.'),
    byId: new Map([...lines, ...fallbackLines].map((line) => [line.id, line])),
  };
}

/** Draws at most four lines; each is as likely as any other, in any place. */
export function drawLines(lines: readonly Line[], random: () => number): readonly Line[] {
  const pool = [...lines];
  const count = Math.min(MAX_ROWS, pool.length);
  for (let place = 0; place < count; place += 1) {
    const drawn = place + Math.floor(random() * (pool.length - place));
    [pool[place], pool[drawn]] = [pool[drawn] as Line, pool[place] as Line]; // Both are in range.
  }
  return pool.slice(0, count);
}

function createLine(entry: LineEntry): Line {
  const { host, noWWW = false } = typeof entry === 'string' ? { host: entry } : entry;
  return {
    host,
    json: JSON.stringify(noWWW ? { host, noWWW } : host),
    id: createHash('sha256').update(host).digest('base64url').slice(0, 8),
  };
}
