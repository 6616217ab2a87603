import { type SessionFilter, type SessionSummary, markSession } from '../../contract/recordings.ts';
import { dayOf } from './recording-store.ts';
import { type SessionEntry, findStart, summarize } from './session-entry.ts';

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
  const ordered = [...entries]
    .map((entry) => ({ entry, startedAt: findStart(entry) }))
    .filter(({ startedAt }) => startedAt < before)
    .toSorted((a, b) => b.startedAt - a.startedAt);
  const sessions: SessionSummary[] = [];
  for (const { entry, startedAt } of ordered) {
    const summary = summarize(entry);
    if (summary === undefined || !matches(summary, filter)) continue;
    const last = sessions.at(-1)?.startedAt;
    const isFull = sessions.length >= PAGE_SIZE && startedAt !== last;
    if (isFull || sessions.length >= MAX_PAGE_SIZE) return { sessions, next: last };
    sessions.push(summary);
  }
  return { sessions, next: undefined };
}

function matches(session: SessionSummary, filter: SessionFilter): boolean {
  const { device, language, country, network, line, day } = filter;
  const marks = markSession(session);
  return (
    (device === undefined || session.device === device) &&
    (language === undefined || session.language === language) &&
    (country === undefined || session.country === country) &&
    (network === undefined || session.network === network) &&
    (line === undefined || session.views.some(({ entered }) => entered.some(({ host }) => host === line))) &&
    (day === undefined || dayOf(session.startedAt) === day) &&
    (!filter.error || marks.error) &&
    (!filter.stuck || marks.stuck) &&
    (!filter.slow || marks.slow)
  );
}
