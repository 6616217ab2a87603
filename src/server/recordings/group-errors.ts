import type { ErrorGroup } from '../../contract/recordings.ts';
import type { SeenError, SessionEntry } from './session-entry.ts';

const MAX_GROUPS = 200;
const MAX_BROWSERS = 5;

type Group = Pick<SeenError, 'message' | 'place'> & {
  times: number;
  firstAt: number;
  lastAt: number;
  readonly sessions: Set<SessionEntry>;
};

/** Errors with the same message and place, the most frequent first. */
export function groupErrors(entries: Iterable<SessionEntry>): readonly ErrorGroup[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    for (const { seen } of entry.views.values()) {
      for (const error of seen?.errors ?? []) addError(groups, entry, error);
    }
  }
  return [...groups.values()]
    .toSorted((a, b) => b.times - a.times || b.lastAt - a.lastAt)
    .slice(0, MAX_GROUPS)
    .map(describeGroup);
}

function addError(groups: Map<string, Group>, entry: SessionEntry, { at, message, place }: SeenError): void {
  const key = `${message}\n${place}`;
  // A visitor's clock may be wrong by years.
  const time = Math.min(at, entry.lastAt);
  let group = groups.get(key);
  if (group === undefined) {
    group = { message, place, times: 0, firstAt: time, lastAt: time, sessions: new Set() };
    groups.set(key, group);
  }
  group.times += 1;
  group.firstAt = Math.min(group.firstAt, time);
  group.lastAt = Math.max(group.lastAt, time);
  group.sessions.add(entry);
}

function describeGroup({ message, place, times, firstAt, lastAt, sessions }: Group): ErrorGroup {
  const newest = [...sessions].toSorted((a, b) => b.lastAt - a.lastAt);
  const best = newest.find(hasReplay) ?? newest[0];
  return {
    message,
    place,
    times,
    sessions: sessions.size,
    firstAt,
    lastAt,
    browsers: rankBrowsers(newest),
    session: best?.id ?? '',
  };
}

function hasReplay({ views }: SessionEntry): boolean {
  return [...views.values()].some(({ numbers }) => numbers.size > 0);
}

function rankBrowsers(sessions: readonly SessionEntry[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { newest } of sessions) {
    const browser = newest?.origin.browser ?? '';
    if (browser !== '') counts.set(browser, (counts.get(browser) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_BROWSERS);
  return ranked.map(([browser]) => browser);
}
