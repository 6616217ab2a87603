import type { LineStatus } from '../../../contract/console.ts';
import type { ConsoleIncident, Incident } from '../../../contract/incidents.ts';
import { type MomentChange, MOMENT_EVERY_MS, findMomentAt } from '../../../contract/moments.ts';
import { MINUTE_MS } from '../../../contract/time-units.ts';
import type { IncidentKeeper } from '../../incidents/create-incident-keeper.ts';
import { RETURN_MS } from '../../incidents/follow-conditions.ts';
import type { Minute } from '../../learning/create-history.ts';
import type { MomentKeeper } from '../../moments/keep-moments.ts';
import type { Moment, MomentMinutes } from '../../moments/moment.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import { DeposedError } from '../../store/database.ts';
import type { ConsoleSources } from '../console-sources.ts';
import { type IncidentFacts, describeIncident } from '../incidents/describe-incident.ts';
import { describeAreas } from '../lines/describe-areas.ts';
import { describeProbe } from '../lines/describe-line.ts';
import { describeLines } from '../lines/describe-lines.ts';
import { describeOverview } from '../overview/describe-overview.ts';

export type MomentTakerDeps = IncidentFacts & {
  readonly sources: ConsoleSources;
  readonly incidents: Pick<IncidentKeeper, 'list'>;
  readonly moments: Pick<MomentKeeper, 'lead' | 'keep' | 'findLast' | 'read' | 'prune'>;
};

/** How often the server checks whether a moment is due. */
export const LOOK_EVERY_MS = MOMENT_EVERY_MS / 60;
/** The counts of a minute are complete this long after it. */
const DELAY_MS = 20_000;
/** After this time it is too late for a moment: what is seen by then is something else. */
const LATEST_MS = 80_000;
/** If the portals were off for a time, at most this number of minutes is kept with the next moment. */
const MAX_MINUTES = 60;
/** Of lines that changed at once. More would tell nobody anything. */
const MAX_CHANGES = 50;

/** Keeps what the console shows, every five minutes, on one of the portals. Call it every few seconds. */
export function createMomentTaker(deps: MomentTakerDeps): () => Promise<void> {
  const { sources, moments } = deps;
  let takenAt: number | undefined;
  let last: { readonly at: number; readonly moment: Moment } | undefined;

  return async () => {
    const now = sources.now();
    const at = findMomentAt(now - DELAY_MS);
    if (at === takenAt || now - at >= LATEST_MS) return;
    const term = await moments.lead();
    if (term === undefined) return;
    const lastAt = await moments.findLast(at + 1);
    if (lastAt === at) {
      // Before a restart, or by another portal. What this one sees now may differ from what was kept.
      takenAt = at;
      return;
    }
    const before = lastAt === undefined || lastAt === last?.at ? last?.moment : await moments.read(lastAt);
    const { steps } = sources;
    // All of it is of one time, although it is described in steps.
    const fixed = { ...sources, now: () => now };
    const moment = await steps.runSteps('moments: describe', describeMoment(fixed, deps));
    const minutes = await steps.runSteps('moments: minutes', listMinutes(fixed, { at, lastAt }));
    try {
      await moments.keep({ at, moment, minutes, changes: findChanges(before, moment, lastAt) }, term);
    } catch (error) {
      // The one that leads by now keeps its own.
      if (error instanceof DeposedError) return;
      throw error;
    }
    takenAt = at;
    last = { at, moment };
    await moments.prune();
  };
}

/** Describes what the console shows now. */
function* describeMoment(
  sources: ConsoleSources,
  { incidents, ...facts }: IncidentFacts & Pick<MomentTakerDeps, 'incidents'>,
): Steps<Moment> {
  const overview = describeOverview(sources, 0);
  yield;
  const { firstMinute, lines } = yield* describeLines(sources);
  const networks = yield* describeAreas(sources);
  const probes: [string, Moment['probes'][string]][] = [];
  for (const line of lines) {
    const state = sources.lineWatch?.states().get(line.id);
    if (state !== undefined) probes.push([line.id, describeProbe(state, line, overview.at)]);
    yield;
  }
  const kept: ConsoleIncident[] = [];
  for (const incident of incidents.list()) {
    if (canChange(incident, overview.at)) kept.push(describeIncident(incident, facts));
    yield;
  }
  return {
    overview,
    firstMinute,
    lines: lines.map(({ reachedByMinute: _ofMinutes, ...line }) => line),
    probes: Object.fromEntries(probes),
    networks,
    incidents: kept,
  };
}

function canChange({ endedAt }: Incident, now: number): boolean {
  return endedAt === null || endedAt > now - RETURN_MS;
}

/** The minutes since the moment before, up to the beginning of this one. */
function* listMinutes(
  { measurements, site }: ConsoleSources,
  { at, lastAt = 0 }: { readonly at: number; readonly lastAt: number | undefined },
): Steps<MomentMinutes> {
  const { history } = measurements;
  const end = at / MINUTE_MS;
  const count = Math.min(MAX_MINUTES, end - lastAt / MINUTE_MS);
  // `history` counts back from a minute, that one included.
  const until = at - 1;
  const lines = new Map<string, readonly Minute[]>();
  const { lines: steered, backups } = site().lines;
  for (const { id } of [...steered, ...backups]) {
    const minutes = history.readLine(id, until, count);
    if (minutes.length > 0) lines.set(id, minutes);
    yield;
  }
  return { site: history.readSite(until, count), lines };
}

function findChanges(
  before: Moment | undefined,
  { overview, lines }: Moment,
  lastAt = 0,
): readonly MomentChange[] {
  if (before === undefined) return [];
  const { publishedAt, hash } = overview.site;
  // A line may be in both lists under one id: what is known of it is the same.
  const statuses = new Map<string, LineStatus>(before.lines.map(({ id, status }) => [id, status]));
  const timeOf = (since: number | null): number =>
    since !== null && since > lastAt && since <= overview.at ? since : overview.at;
  const changed = lines
    .filter(({ id, status }) => statuses.has(id) && statuses.get(id) !== status)
    .slice(0, MAX_CHANGES);
  return [
    ...(before.overview.site.hash === hash
      ? []
      : [{ kind: 'published' as const, at: timeOf(publishedAt), hash }]),
    ...changed.map(({ id, host, status, since }) => ({
      kind: 'line' as const,
      at: timeOf(since),
      id,
      host,
      status,
    })),
  ];
}
