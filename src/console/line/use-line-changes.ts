import { useEffect, useState } from 'react';
import type { DeskState, DeskVersion } from '../../contract/desk/desk.ts';
import type { SiteChange } from '../../contract/desk/site-change.ts';
import { DESK_PATHS } from '../../contract/paths.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import { formatHost } from '../format/format-names.ts';
import { callServer } from '../live/call-server.ts';

/** A version of the site that changed a line. */
export type LineChange = Pick<DeskVersion, 'number' | 'at' | 'by'>;

/** The most versions that are compared: each takes a call. */
const MAX_VERSIONS = 12;

/** The versions of the last day that changed a line, the newest first. None where the server keeps no versions. */
export function useLineChanges(host: string, siteVersion: string): readonly LineChange[] {
  const [changes, setChanges] = useState<readonly LineChange[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const read = async <T>(path: string): Promise<T | undefined> => {
      const answer = await callServer<T>(path, { init: { signal: abort.signal } });
      return answer.kind === 'done' ? answer.data : undefined;
    };
    const show = async (): Promise<void> => {
      const found = await findChanges(host, read);
      if (!abort.signal.aborted) setChanges(found);
    };
    void show();
    return () => abort.abort();
  }, [host, siteVersion]);
  return changes;
}

/** Undefined where the server does not answer. */
type Read = <T>(path: string) => Promise<T | undefined>;

async function findChanges(host: string, read: Read): Promise<readonly LineChange[]> {
  const desk = await read<DeskState>(DESK_PATHS.state);
  if (desk?.isOn !== true) return [];
  const { versions = [] } = (await read<{ versions: readonly DeskVersion[] }>(DESK_PATHS.versions)) ?? {};
  const found: LineChange[] = [];
  for (const [index, { number, at, by }] of versions.slice(0, MAX_VERSIONS).entries()) {
    const before = versions[index + 1];
    if (before === undefined || at < Date.now() - DAY_MS) break;
    const query = new URLSearchParams({ from: String(before.number), to: String(number) });
    const answer = await read<{ changes: readonly SiteChange[] }>(`${DESK_PATHS.difference}?${query}`);
    if (answer?.changes.some((change) => isOfLine(change, host))) found.push({ number, at, by });
  }
  return found;
}

/** The changes since the charts begin. At a time of the past, later ones have not happened yet. */
export function listShown<T extends Pick<LineChange, 'at'>>(
  changes: readonly T[],
  begin: number,
  pastTime = Infinity,
): readonly T[] {
  return changes.filter(({ at }) => at >= begin && at <= pastTime);
}

/** Whether a change is one of this line. Hosts may be written with their scheme. */
function isOfLine(change: SiteChange, host: string): boolean {
  const isSame = (other: string): boolean => formatHost(other) === formatHost(host);
  switch (change.kind) {
    case 'line-added':
    case 'line-removed':
    case 'line-changed':
      return isSame(change.host);
    case 'line-replaced':
      return isSame(change.host) || isSame(change.hostBefore);
    case 'value':
    case 'lines-reordered':
    case 'image':
    case 'file':
      return false;
  }
}
