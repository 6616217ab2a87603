import type { ConsoleLine, ConsoleLines, ConsoleMaintenance } from '../../../contract/console.ts';
import type { LineMaintenance } from '../../../contract/site/site-config.ts';
import type { Minute } from '../../learning/create-minute-ring.ts';
import { HOUR_MINUTES } from '../../learning/create-minute-ring.ts';
import type { LineState } from '../../lines/line-state.ts';
import type { SiteLine } from '../../site/create-line-table.ts';
import { findMaintenance } from '../../site/time-windows.ts';
import { describeFaults } from './describe-faults.ts';
import { findStatusSince } from './find-status-since.ts';
import { LATELY_MINUTES, type LineVerdict, judgeLine } from './judge-line.ts';
import { addUp, firstMinuteOf, listByMinute, toPercent } from './last-hour.ts';
import { readCell } from './read-cell.ts';
import type { ConsoleSources } from '../console-sources.ts';

/** Every line of the site with its state and its last hour, the backups last. */
export function describeLines(sources: ConsoleSources): ConsoleLines {
  const at = sources.now();
  const { lines, backups } = sources.site().lines;
  const failing = countFailingAreas(sources);
  return {
    at,
    firstMinute: firstMinuteOf(at),
    lines: [
      ...lines.map((line) =>
        describeLine(line, { sources, role: 'line', failingAreas: failing.get(line.id) ?? null }),
      ),
      ...backups.map((line) => describeLine(line, { sources, role: 'backup', failingAreas: null })),
    ],
  };
}

/** Since when a line has the state that it was judged to have. */
export function findSince(id: string, verdict: LineVerdict, sources: ConsoleSources): number | undefined {
  if (verdict.status === 'maintenance') {
    const { from } = findLineMaintenance(id, sources) ?? {};
    return from === undefined ? undefined : Date.parse(from);
  }
  return findStatusSince(id, verdict, {
    history: sources.measurements.history,
    probe: findProbe(id, sources),
    startedAt: sources.startedAt,
    now: sources.now(),
  });
}

/** The state of a line, for those who need no more. */
export function judgeLineById(id: string, sources: ConsoleSources): LineVerdict {
  const minutes = sources.measurements.history.readLine(id, sources.now(), LATELY_MINUTES);
  return judgeMinutes(id, minutes, sources);
}

function describeMaintenance(window: LineMaintenance | undefined): ConsoleMaintenance | null {
  if (window === undefined) return null;
  const { reason, until } = window;
  return { reason, until: until === undefined ? null : Date.parse(until) };
}

function describeLine(
  { id, host }: SiteLine,
  {
    sources,
    role,
    failingAreas,
  }: { sources: ConsoleSources; role: ConsoleLine['role']; failingAreas: number | null },
): ConsoleLine {
  const { history } = sources.measurements;
  const now = sources.now();
  const minutes = history.readLine(id, now, HOUR_MINUTES);
  const verdict = judgeMinutes(id, minutes, sources);
  const probe = sources.lineWatch?.states().get(id);
  const maintenance = findLineMaintenance(id, sources);
  return {
    id,
    host,
    role,
    ...verdict,
    isDoubted: verdict.status === 'unknown' && sources.lineWatch?.cutOff() === 'visitors',
    since: findSince(id, verdict, sources) ?? null,
    maintenance: describeMaintenance(maintenance),
    faults: probe === undefined ? [] : describeFaults(probe),
    handedOut: role === 'backup' ? null : addUp(minutes, ({ handedOut }) => handedOut),
    tried: addUp(minutes, ({ tried }) => tried),
    reached: addUp(minutes, ({ reached }) => reached),
    p50: history.readLineQuantile(id, now, 0.5) ?? null,
    p95: history.readLineQuantile(id, now, 0.95) ?? null,
    failingNetworks: failingAreas,
    reachedByMinute: listByMinute(minutes, now, ({ reached, tried }) => toPercent(reached, tried)),
  };
}

function judgeMinutes(id: string, minutes: readonly Minute[], sources: ConsoleSources): LineVerdict {
  const { lineWatch, now } = sources;
  if (findLineMaintenance(id, sources)) return { status: 'maintenance', judgedBy: null };
  const probe = findProbe(id, sources);
  const verdict = judgeLine({ probe, minutes, now: now() });
  if (verdict.judgedBy !== 'probe') return verdict;
  const isByOthers =
    lineWatch?.cutOff() === 'replicas' || (verdict.status === 'down' && probe?.seen !== 'down');
  return isByOthers ? { ...verdict, judgedBy: 'replicas' } : verdict;
}

/** What the server, or most of the replicas, see of a line. Undefined while only visitors are believed. */
function findProbe(id: string, { lineWatch }: ConsoleSources): LineState | undefined {
  return lineWatch?.cutOff() === 'visitors' ? undefined : lineWatch?.states().get(id);
}

function findLineMaintenance(id: string, { site, now }: ConsoleSources): LineMaintenance | undefined {
  return findMaintenance(site().lines.byId.get(id)?.policy.maintenance ?? [], now());
}

/** In how many areas each line fails, by its id. A line that nobody has tried lately is not among them. */
function countFailingAreas({ steering }: ConsoleSources): ReadonlyMap<string, number> {
  const { areas, at } = steering.knowledge();
  const counts = new Map<string, number>();
  for (const view of areas.values()) {
    for (const id of view.lines.keys()) {
      const cell = readCell(view, id, at);
      if (cell === undefined) continue;
      counts.set(id, (counts.get(id) ?? 0) + (cell.failingSince === undefined ? 0 : 1));
    }
  }
  return counts;
}
