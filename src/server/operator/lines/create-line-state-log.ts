import type { Logger } from 'pino';
import type { LineJudge, LineStatus } from '../../../contract/console.ts';
import { describeFault } from '../../../contract/line/describe-fault.ts';
import type { SiteLine } from '../../site/create-line-table.ts';
import type { LineRole } from '../../lines/line-state.ts';
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

/**
 * Notes the states of all lines and backups, and writes one log line for each whose state has changed. Call what it returns again
 * and again.
 */
export function createLineStateLog({ sources, states, log }: StateLogDeps): () => void {
  const known = new Map<string, LineStatus>();

  return () => {
    const { lines, backups } = sources.site().lines;
    const verdicts = new Map([...lines, ...backups].map(({ id }) => [id, judgeLineById(id, sources)]));
    states.note(new Map([...verdicts].map(([id, { status }]) => [id, status])), sources.now());
    for (const line of lines) logLine(line, 'line', verdicts.get(line.id));
    for (const line of backups) logLine(line, 'backup', verdicts.get(line.id));
  };

  function logLine({ id, host }: SiteLine, role: LineRole, verdict: LineVerdict | undefined): void {
    if (verdict === undefined) return;
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
