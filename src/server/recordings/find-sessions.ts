import {
  type SessionFilter,
  type SessionSummary,
  SLOW_ENTER_MS,
  SLOW_LCP_MS,
} from '../../contract/recordings.ts';
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
  return (
    (device === undefined || session.device === device) &&
    (language === undefined || session.language === language) &&
    (country === undefined || session.country === country) &&
    (network === undefined || session.network === network) &&
    (line === undefined || session.views.some(({ entered }) => entered.some(({ host }) => host === line))) &&
    (day === undefined || new Date(session.startedAt).toISOString().startsWith(day)) &&
    (!filter.error || session.views.some(({ errors }) => errors.length > 0)) &&
    (!filter.stuck || isStuck(session)) &&
    (!filter.slow || isSlow(session))
  );
}

/** Could not get in: lines failed, none was reached, none was entered. */
function isStuck({ views }: SessionSummary): boolean {
  return (
    views.some(({ failedLines }) => failedLines > 0) &&
    views.every(({ reachedLines, entered }) => reachedLines === 0 && entered.length === 0)
  );
}

function isSlow({ views }: SessionSummary): boolean {
  return views.some(({ lcpMs, openedAt, entered }) => {
    const [first] = entered;
    const isEnteredLate = first !== undefined && first.at - openedAt > SLOW_ENTER_MS;
    return isEnteredLate || (lcpMs !== null && lcpMs > SLOW_LCP_MS);
  });
}
