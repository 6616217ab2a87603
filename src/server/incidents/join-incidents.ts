import { isDeepStrictEqual } from 'node:util';
import {
  type Condition,
  type Incident,
  type IncidentKind,
  type IncidentPart,
  isLineState,
  listLasting,
  partsOf,
} from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { isWithin } from '../learning/losses/places.ts';
import { findOrAdd } from '../process/find-or-add.ts';

/** The lines of the site, and which of them have something in common. */
export type LineGroups = {
  /** The causes of all lines, without the backups. */
  readonly lines: ReadonlySet<string>;
  /** By what they share, such as `port/8443` or `range/203.0.113.0/24`: the causes of at least two lines. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
};

export const NO_GROUPS: LineGroups = { lines: new Set(), shared: new Map() };

/** A line that goes down within a minute after another one is part of the same trouble. */
const TOGETHER_MS = MINUTE_MS;
/** Lines that the same places lose within half an hour, or that become slow there, are one trouble: each is noticed by its own visitors. */
const SAME_PLACES_MS = 30 * MINUTE_MS;
/** If hardly anybody gets in, lines that went down up to half an hour ago are the reason. */
const REASON_MS = 30 * MINUTE_MS;
/** One trouble can be made of these. */
const REASONS: ReadonlySet<IncidentKind> = new Set<IncidentKind>([
  'line-down',
  'line-degraded',
  'line-lost',
  'line-slow',
  'portal-cut-off',
  'visitors-lost',
]);

type Trouble = Pick<Condition, 'cause' | 'kind' | 'severity' | 'affected' | 'detail' | 'since'>;

/** Finds the open incident that a new trouble is part of. */
export function findIncidentToJoin<I extends Incident>(
  trouble: Trouble,
  open: readonly I[],
  now: number,
): I | undefined {
  if (isCritical(trouble)) return open.find((incident) => isReason(incident, now));
  return open.find(
    (incident) =>
      (REASONS.has(trouble.kind) && isCriticalNow(incident)) ||
      listLasting(incident).some(
        (part) =>
          Math.min(Math.abs(now - part.changedAt), Math.abs(trouble.since - part.since)) <=
            (isOfPlaces(trouble) ? SAME_PLACES_MS : TOGETHER_MS) && isSameTrouble(part, trouble),
      ),
  );
}

/** Lists the open incidents that turn out to be one trouble, the oldest first. Each list has at least two. */
export function listSameTroubles<I extends Incident>(
  open: readonly I[],
  { lines, shared }: LineGroups,
  now: number,
): readonly (readonly I[])[] {
  const critical = open.find(isCriticalNow);
  const reasons = open.filter((incident) => incident === critical || isReason(incident, now));
  const down = open.filter((incident) => listLasting(incident).some(isDown));
  const downLines = down.flatMap(listLasting).filter((part) => isDown(part) && lines.has(part.cause));
  const isHalf = downLines.length > 1 && downLines.length * 2 >= lines.size;
  const together = [
    critical === undefined ? [] : reasons,
    isHalf ? down : [],
    ...groupByBeginning(down),
    // Portals that were alone for a while may have opened two about one line.
    ...groupByCause(open).values(),
    ...[...shared].map(([what, causes]) => listSharing(open, what, causes)),
  ];
  return together
    .filter((same) => same.length > 1)
    .map((same) => same.toSorted((one, other) => one.startedAt - other.startedAt));
}

/** What all lines of an incident have in common, and no line that is well has. */
export function findShared(incident: Incident, { shared }: LineGroups): string | undefined {
  const lasting = listLasting(incident).filter(({ cause }) => isLineState(cause));
  if (lasting.length < 2) return undefined;
  for (const [what, causes] of shared) {
    const known = new Set(causes);
    if (isWhole(lasting, what, causes) && lasting.every(({ cause }) => known.has(cause))) return what;
  }
  return undefined;
}

/** The incidents about the lines that share something, if all of these lines are in trouble. */
function listSharing<I extends Incident>(
  open: readonly I[],
  what: string,
  causes: readonly string[],
): readonly I[] {
  if (!isWhole(open.flatMap(listLasting), what, causes)) return [];
  return open.filter((incident) =>
    listLasting(incident).some((part) => causes.includes(part.cause) && hasTroubleOf(part, what)),
  );
}

function isWhole(parts: readonly IncidentPart[], what: string, causes: readonly string[]): boolean {
  const troubled = new Set(parts.filter((part) => hasTroubleOf(part, what)).map(({ cause }) => cause));
  return causes.every((cause) => troubled.has(cause));
}

/** A port may be the trouble of a line that is up at its other ports. */
function hasTroubleOf(part: IncidentPart, what: string): boolean {
  if (isDown(part)) return true;
  return part.kind === 'line-degraded' && part.affected.some((port) => what === `port/${port}`);
}

function isSameTrouble(one: Trouble, other: Trouble): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'line-degraded')
    return one.affected.some((port) => /^\d+$/.test(port) && other.affected.includes(port));
  // One certificate ends at one moment.
  if (one.kind === 'certificate') return isDeepStrictEqual(one.detail, other.detail);
  if (isOfPlaces(one)) return areSamePlaces(one.affected, other.affected);
  return one.kind === 'line-down';
}

/** Whether it is a trouble of some networks or countries, at a line that others reach. */
function isOfPlaces({ kind }: Pick<Condition, 'kind'>): boolean {
  return kind === 'line-lost' || kind === 'line-slow';
}

/**
 * Whether two lines are in trouble in the same places, or one of them in a country and the other in networks of that country. All places
 * must match: if one were enough, unrelated troubles would become one incident.
 */
function areSamePlaces(some: readonly string[], others: readonly string[]): boolean {
  if (some.length === 0 || others.length === 0) return some.length === others.length;
  const [isWithinOthers, areOthersWithin] = [areWithin(some, others), areWithin(others, some)];
  if (isWithinOthers && areOthersWithin) return true;
  return (isWithinOthers && others.length === 1) || (areOthersWithin && some.length === 1);
}

/** Whether all of these places are among the others, or in one of them. */
function areWithin(places: readonly string[], others: readonly string[]): boolean {
  return places.every((place) => others.some((other) => isWithin(place, other)));
}

function groupByCause<I extends Incident>(open: readonly I[]): ReadonlyMap<string, readonly I[]> {
  const byCause = new Map<string, I[]>();
  for (const incident of open)
    for (const { cause } of listLasting(incident)) findOrAdd(byCause, cause, () => []).push(incident);
  return byCause;
}

/** Lines that visitors lost within a minute, each in other networks at first, and that are all down by now. */
function groupByBeginning<I extends Incident>(down: readonly I[]): readonly (readonly I[])[] {
  const beginningOf = (incident: I): number =>
    Math.min(...listLasting(incident).flatMap((part) => (isDown(part) ? [part.since] : [])));
  const groups: I[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const incident of down.toSorted((one, other) => beginningOf(one) - beginningOf(other))) {
    const beginning = beginningOf(incident);
    if (beginning - last <= TOGETHER_MS) groups.at(-1)?.push(incident);
    else groups.push([incident]);
    last = beginning;
  }
  return groups;
}

function isDown({ kind }: Pick<Condition, 'kind'>): boolean {
  return kind === 'line-down';
}

/** Whether hardly anybody gets in. */
function isCritical({ kind, severity }: Pick<Condition, 'kind' | 'severity'>): boolean {
  return kind === 'visitors-lost' && severity === 'critical';
}

function isCriticalNow(incident: Incident): boolean {
  return listLasting(incident).some(isCritical);
}

function isReason(incident: Incident, now: number): boolean {
  return (
    listLasting(incident).some(({ kind }) => REASONS.has(kind)) &&
    partsOf(incident).some(({ changedAt }) => Math.abs(now - changedAt) <= REASON_MS)
  );
}
