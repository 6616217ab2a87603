import { setImmediate } from 'node:timers/promises';
import type { ErrorGroup } from '../../contract/recordings.ts';
import { type SeenError, type SessionEntry, listViews } from './session-entry.ts';

const MAX_GROUPS = 200;
const MAX_BROWSERS = 5;
const MAX_ERRORS = 20_000;
/** These take some 5 ms. */
const ERRORS_AT_ONCE = 1_000;

type Group = Pick<SeenError, 'message' | 'place'> & {
  times: number;
  firstAt: number;
  lastAt: number;
  /** The newest first. */
  readonly sessions: Set<SessionEntry>;
};

/**
 * Errors with the same message and place, the most frequent first. Somebody may have sent very many, so only the newest count, and
 * other requests have their turn meanwhile.
 */
export async function groupErrors(
  entries: Iterable<SessionEntry>,
  maxErrors = MAX_ERRORS,
): Promise<readonly ErrorGroup[]> {
  const groups = new Map<string, Group>();
  let looked = 0;
  for (const { entry, error } of listErrors(entries)) {
    if (looked >= maxErrors) break;
    addError(groups, entry, error);
    looked += 1;
    if (looked % ERRORS_AT_ONCE === 0) await setImmediate();
  }
  return [...groups.values()]
    .toSorted((a, b) => b.times - a.times || b.lastAt - a.lastAt)
    .slice(0, MAX_GROUPS)
    .map(describeGroup);
}

/** Those of the newest session first. */
function* listErrors(
  entries: Iterable<SessionEntry>,
): Generator<{ readonly entry: SessionEntry; readonly error: SeenError }> {
  const found = [...entries].filter((entry) => listViews(entry).some(({ errors }) => errors.length > 0));
  for (const entry of found.toSorted((a, b) => b.lastAt - a.lastAt)) {
    for (const { errors } of listViews(entry)) {
      for (const error of errors) yield { entry, error };
    }
  }
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
  const newest = [...sessions];
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
