import type { Logger } from 'pino';
import type { LineJudge, LineStatus } from '../../../contract/console.ts';
import { describeFault } from '../../../contract/line/describe-fault.ts';
import { type WatchedLine, listWatchedLines } from '../../lines/line-state.ts';
import { describeFaults } from './describe-faults.ts';
import type { LineVerdict } from './judge-line.ts';
import type { LineStates } from './keep-line-states.ts';
import { findSince, judgeLineById } from './describe-lines.ts';
import type { ConsoleSources } from '../console-sources.ts';

type StateLogDeps = {
  readonly sources: ConsoleSources;
  readonly states: Pick<LineStates, 'note'>;
  readonly log: Logger;
};

type JudgedLine = WatchedLine & { readonly verdict: LineVerdict };

/**
 * Notes the states of all lines and backups, and writes one log line for each whose state has changed. Call what it returns again
 * and again.
 */
export function createLineStateLog({ sources, states, log }: StateLogDeps): () => void {
  const known = new Map<string, LineStatus>();

  return () => {
    const judged = listWatchedLines(sources.site().lines).map(({ line, role }) => ({
      line,
      role,
      verdict: judgeLineById(line.id, sources),
    }));
    states.note(new Map(judged.map(({ line, verdict }) => [line.id, verdict.status])), sources.now());
    for (const each of judged) logLine(each);
  };

  function logLine({ line: { id, host }, role, verdict }: JudgedLine): void {
    const { status, judgedBy } = verdict;
    const last = known.get(id);
    // If nothing is known for a while, there is nothing to log.
    if (status === 'unknown' || status === last) return;
    known.set(id, status);
    const isFirstAndWell = last === undefined && status === 'up';
    if (isFirstAndWell) return;
    const since = findSince(id, verdict, sources);
    const fields = {
      line: host,
      by: judgedBy,
      since: since === undefined ? undefined : new Date(since).toISOString(),
    };
    if (status === 'maintenance') log.info(fields, `${role} in maintenance`);
    else if (status === 'up') log.info(fields, `${role} up`);
    else log.warn({ ...fields, cause: findCause(id, judgedBy) }, `${role} ${status}`);
  }

  function findCause(id: string, judgedBy: LineJudge | null): string {
    const state = sources.lineWatch?.states().get(id);
    if (judgedBy === 'replicas') return 'most of the replicas see it down';
    if (judgedBy !== 'probe' || state === undefined) return 'visitors do not reach it';
    return describeFaults(state)
      .map(({ fault, ports }) => {
        const { problem } = describeFault(fault, 'en');
        return ports.length === 0 ? problem : `${problem} (${ports.join(', ')})`;
      })
      .join('; ');
  }
}
