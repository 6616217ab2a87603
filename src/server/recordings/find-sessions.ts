import { DAY_MS } from '../../contract/limits.ts';
import { type SessionFilter, type SessionSummary, markSession } from '../../contract/recordings.ts';
import { type SessionEntry, findStart, listViews, summarize } from './session-entry.ts';

export type FoundSessions = {
  readonly sessions: readonly SessionSummary[];
  /** Undefined at the end of the list. */
  readonly next: number | undefined;
};

const PAGE_SIZE = 50;
/** Sessions of the same ms are on one page, unless somebody has forged very many. */
const MAX_PAGE_SIZE = 200;

/** The newest sessions that a filter lets through, and that started before a time. */
export function findSessions(
  entries: Iterable<SessionEntry>,
  filter: SessionFilter,
  before = Number.POSITIVE_INFINITY,
): FoundSessions {
  const { day } = filter;
  const from = day === undefined ? 0 : Date.parse(day);
  const to = day === undefined ? before : Math.min(before, from + DAY_MS);
  const found = [...entries].filter((entry) => {
    const startedAt = findStart(entry);
    return startedAt >= from && startedAt < to && matches(entry, filter);
  });
  // Of fifty thousand sessions, only those that may be on the page are put in order and summarized.
  const starts = Float64Array.from(found, findStart).toSorted();
  const oldest = starts.at(-1 - MAX_PAGE_SIZE) ?? 0;
  const ordered = found
    .filter((entry) => findStart(entry) >= oldest)
    .toSorted((a, b) => findStart(b) - findStart(a));
  const sessions: SessionSummary[] = [];
  for (const entry of ordered) {
    const last = sessions.at(-1)?.startedAt;
    const isFull = sessions.length >= PAGE_SIZE && findStart(entry) !== last;
    if (isFull || sessions.length >= MAX_PAGE_SIZE) return { sessions, next: last };
    const summary = summarize(entry);
    if (summary !== undefined) sessions.push(summary);
  }
  return { sessions, next: undefined };
}

function matches(entry: SessionEntry, filter: SessionFilter): boolean {
  const { newest } = entry;
  if (newest === null) return false;
  const { device, language, country, network, line } = filter;
  return (
    (device === undefined || newest.device === device) &&
    (language === undefined || newest.language === language) &&
    (country === undefined || newest.origin.country === country) &&
    (network === undefined || newest.origin.network === network) &&
    (line === undefined ||
      listViews(entry).some(({ entered }) => entered.some(({ host }) => host === line))) &&
    hasMarks(entry, filter)
  );
}

function hasMarks(entry: SessionEntry, { error, stuck, slow }: SessionFilter): boolean {
  if (!error && !stuck && !slow) return true;
  const marks = markSession({ views: listViews(entry) });
  return (!error || marks.error) && (!stuck || marks.stuck) && (!slow || marks.slow);
}
