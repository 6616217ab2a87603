import {
  type ConsoleLine,
  type ConsoleLines,
  type ConsoleMaintenance,
  type LineRule,
  type MinuteValues,
  LINE_RULES,
} from '../../../contract/console.ts';
import type { LineMaintenance } from '../../../contract/site/site-config.ts';
import { addCount } from '../../learning/counts.ts';
import type { Minute } from '../../learning/create-history.ts';
import { HOUR_MINUTES } from '../../../contract/time-units.ts';
import { type LineLoss, findLineLoss } from '../../learning/losses/judge-losses.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import { type LineState, findBelieved } from '../../lines/line-state.ts';
import type { SiteLine } from '../../site/create-line-table.ts';
import type { LinePolicy } from '../../site/create-line-policy.ts';
import { findMaintenance } from '../../site/time-windows.ts';
import { describeFaults } from './describe-faults.ts';
import { type LineVerdict, findStatusSince, judgeLine } from './judge-line.ts';
import { addUp, firstMinuteOf, listByMinute, toPercent } from './last-hour.ts';
import { createCellReader, readCell } from './read-cell.ts';
import type { ConsoleSources } from '../console-sources.ts';

/** A line that visitors reached in the last five minutes is up, as far as they know. */
const REACHED_LATELY_MINUTES = 5;

/** Every line of the site with its state and its last hour, the backups last. */
export function* describeLines(sources: ConsoleSources): Steps<ConsoleLines> {
  const at = sources.now();
  const { lines, backups } = sources.site().lines;
  const failing = yield* countFailingAreas(sources);
  const described: ConsoleLine[] = [];
  for (const line of lines) {
    described.push(describeLine(line, { sources, role: 'line', failingAreas: failing.get(line.id) ?? null }));
    yield;
  }
  for (const line of backups)
    described.push(describeLine(line, { sources, role: 'backup', failingAreas: null }));
  return { at, firstMinute: firstMinuteOf(at), lines: described };
}

/** Since when a line has the state that it was judged to have. */
export function findSince(id: string, verdict: LineVerdict, sources: ConsoleSources): number | undefined {
  if (verdict.status === 'maintenance') {
    const { from } = findLineMaintenance(id, sources) ?? {};
    return from === undefined ? undefined : Date.parse(from);
  }
  let firstMinute: number | undefined;
  sources.measurements.history.walkBack(id, sources.now(), (minute) => {
    firstMinute = minute;
    return true;
  });
  return findStatusSince(verdict, {
    probe: findProbe(id, sources),
    loss: findLoss(id, sources),
    ended: sources.steering.knowledge().losses.ended.get(id),
    firstMinute,
    startedAt: sources.startedAt,
  });
}

/** The state of a line. */
export function judgeLineById(id: string, sources: ConsoleSources): LineVerdict {
  const { lineWatch, measurements, now } = sources;
  if (findLineMaintenance(id, sources)) return { status: 'maintenance', judgedBy: null };
  const probe = findProbe(id, sources);
  const verdict = judgeLine({
    probe,
    loss: findLoss(id, sources),
    isReached: measurements.history
      .readLine(id, now(), REACHED_LATELY_MINUTES)
      .some(({ reached }) => reached > 0),
  });
  if (verdict.judgedBy !== 'probe') return verdict;
  const isByOthers =
    lineWatch?.cutOff() === 'replicas' || (verdict.status === 'down' && probe?.seen !== 'down');
  return isByOthers ? { ...verdict, judgedBy: 'replicas' } : verdict;
}

function describeMaintenance(window: LineMaintenance | undefined): ConsoleMaintenance | null {
  if (window === undefined) return null;
  const { reason, until } = window;
  return { reason, until: until === undefined ? null : Date.parse(until) };
}

function describeLine(
  { id, host, policy }: SiteLine,
  {
    sources,
    role,
    failingAreas,
  }: { sources: ConsoleSources; role: ConsoleLine['role']; failingAreas: number | null },
): ConsoleLine {
  const { history } = sources.measurements;
  const now = sources.now();
  const minutes = history.readLine(id, now, HOUR_MINUTES);
  const verdict = judgeLineById(id, sources);
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
    rules: listRules(policy),
    faults: probe === undefined ? [] : describeFaults(probe),
    handedOut: role === 'backup' ? null : addUp(minutes, ({ handedOut }) => handedOut),
    tried: addUp(minutes, ({ tried }) => tried),
    reached: addUp(minutes, ({ reached }) => reached),
    moved: addUp(minutes, ({ moved }) => moved),
    p50: history.readLineQuantile(id, now, 0.5) ?? null,
    p95: history.readLineQuantile(id, now, 0.95) ?? null,
    failingNetworks: failingAreas,
    states: sources.lineStates.read(id, now, { minutes: HOUR_MINUTES, current: verdict.status }),
    reachedByMinute: describeReached(minutes, now),
  };
}

/** Which part of those who tried a line reached it, in each minute of the last hour. */
export function describeReached(minutes: readonly Minute[], now: number): MinuteValues {
  return listByMinute(minutes, now, ({ reached, tried }) => toPercent(reached, tried));
}

type PlaceRule = Readonly<Record<'only' | 'not', { readonly size: number }>>;

/** The rules by which a line is left out for some visitors, or for all new ones. */
export function listRules({ isDrained, countries, networks }: LinePolicy): readonly LineRule[] {
  const holds = { drain: isDrained, countries: isLimited(countries), networks: isLimited(networks) };
  return LINE_RULES.filter((rule) => holds[rule]);
}

function isLimited({ only, not }: PlaceRule): boolean {
  return only.size + not.size > 0;
}

function findProbe(id: string, { lineWatch }: ConsoleSources): LineState | undefined {
  return findBelieved(lineWatch)?.get(id);
}

function findLoss(id: string, sources: ConsoleSources): LineLoss | undefined {
  const recoveredAt = findProbe(id, sources)?.recoveredAt ?? 0;
  return findLineLoss(sources.steering.knowledge().losses, id, { now: sources.now(), recoveredAt });
}

function findLineMaintenance(id: string, { site, now }: ConsoleSources): LineMaintenance | undefined {
  return findMaintenance(site().lines.byId.get(id)?.policy.maintenance ?? [], now());
}

/** In how many areas each line fails, by its id. A line that nobody has tried lately is not among them. */
function* countFailingAreas(sources: ConsoleSources): Steps<ReadonlyMap<string, number>> {
  const reader = createCellReader(sources);
  const counts = new Map<string, number>();
  for (const [area, { lines }] of reader.knowledge.areas) {
    for (const lineId of lines.keys()) {
      const cell = readCell(reader, { area, lineId });
      if (cell === undefined) continue;
      addCount(counts, lineId, cell.failingSince === undefined ? 0 : 1);
    }
    yield;
  }
  return counts;
}
