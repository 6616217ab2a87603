import { MINUTE_MS } from '../../../contract/time-units.ts';
import { findOrAdd } from '../../process/find-or-add.ts';
import { putLast } from '../../process/forget-oldest.ts';
import { type Area, countryOf, createArea } from '../area.ts';
import { countOpen } from '../count-report.ts';
import type { SeenByVoter } from '../view.ts';
import {
  type Evidence,
  FORGET_MS,
  REMEMBER_MS,
  type Tries,
  type Usual,
  createEvidence,
  hasSigns,
  isLossOver,
  isSign,
  noteTries,
  noteUsual,
  showsLoss,
} from './loss-evidence.ts';
import { type SeenByArea, countryPlaceOf, isNetwork, limitPlaces, listPlaces } from './places.ts';
import type { Paces } from './slow-lines.ts';
import { weighWaits } from './weigh-waits.ts';

/** What speaks for a loss in each network and each country. */
export type PlaceLosses = {
  /** By line id, by place, the least recently tried first. A country is a place without a network, such as `GB/`. */
  readonly lines: Map<string, Map<Area, Evidence>>;
  /** Where each line is lost: the same as `isLost` of the evidence, so that nobody has to look through all of it. */
  readonly lost: Map<string, Set<Area>>;
  /** What is usual at all lines together. */
  readonly usual: Usual;
};

/** A line that the visitors of a network, or of a whole country, do not reach. */
export type PlaceLoss = Pick<Evidence, 'since' | 'visitors' | 'failedAt'> & {
  readonly area: Area;
  /** How many networks that tried the line in the last 10 minutes this loss covers. 0 if there are none. */
  readonly networks: number;
};

/** Two failures of one voter, a /24 or /48, count in a window: one visitor may try again and again. */
const MAX_FAILURES_OF_VOTER = 2;
const TRIED_LATELY_MS = 10 * MINUTE_MS;
/** A country stays lost only while two of its networks fail. */
const MIN_FAILING_NETWORKS = 2;
/** The last 10,000 tries say what is usual at all lines. */
const MAX_SITE_TRIES = 10_000;

export function createPlaceLosses(): PlaceLosses {
  return { lines: new Map(), lost: new Map(), usual: { tries: 0, reached: 0 } };
}

/** Adds a window of counts to what is known of each place, step by step. */
export function* foldPlaces(
  losses: PlaceLosses,
  areas: SeenByArea,
  { at, paces }: { readonly at: number; readonly paces: Pick<Paces, 'lines'> },
): Generator<void, void> {
  const { usual } = losses;
  const usualReach = usual.tries === 0 ? 0 : usual.reached / usual.tries;
  const changed = new Map<Evidence, { readonly lineId: string; readonly place: Area }>();
  for (const [area, voters] of areas) {
    const circumstances = { area, at, usualReach };
    for (const [lineId, tries] of addUpVoters(voters, { paces, area })) {
      for (const place of listPlaces(area)) {
        const evidence = openEvidence(losses, { lineId, place, at }, tries);
        noteTries(evidence, tries, circumstances);
        changed.set(evidence, { lineId, place });
      }
      noteUsual(usual, tries, MAX_SITE_TRIES);
    }
    yield;
  }
  // Now that all of the window is known: successes of a network may come after failures of another.
  for (const [evidence, { lineId, place }] of changed) {
    if (isLossOver(evidence)) endLoss(losses, { lineId, place, at });
    else if (!evidence.isLost && showsLoss(evidence)) beginLoss(losses, { lineId, place, evidence });
    yield;
  }
  endOldLosses(losses, at);
  yield* forgetOld(losses, at);
}

/** Lists where a line is lost. A country stands for its networks. */
export function listPlaceLosses(
  { lines, lost }: PlaceLosses,
  lineId: string,
  { now, recoveredAt }: { readonly now: number; readonly recoveredAt: number },
): readonly PlaceLoss[] {
  const ofLine = lines.get(lineId) ?? new Map<Area, Evidence>();
  const isLost = (evidence: Evidence | undefined): boolean =>
    evidence !== undefined && evidence.isLost && evidence.failedAt >= recoveredAt;
  return [...(lost.get(lineId) ?? [])].flatMap((area) => {
    const evidence = ofLine.get(area);
    if (evidence === undefined || !isLost(evidence)) return [];
    if (isNetwork(area) && isLost(ofLine.get(countryPlaceOf(area)))) return [];
    const { since, visitors, failedAt } = evidence;
    const networks = isNetwork(area)
      ? Number(isTriedLately(evidence, now))
      : countTried(ofLine, now, countryOf(area));
    return [{ area, since, visitors, failedAt, networks }];
  });
}

/** How many networks have tried a line lately, whether they reached it or not. */
export function countNetworks({ lines }: PlaceLosses, lineId: string, now: number): number {
  return countTried(lines.get(lineId) ?? new Map(), now);
}

/** The networks whose visitors have tried any line in the last hour: older ones are forgotten. */
export function listActiveNetworks({ lines }: PlaceLosses): ReadonlySet<Area> {
  const networks = new Set<Area>();
  for (const ofLine of lines.values())
    for (const [area, { isCountry }] of ofLine) if (!isCountry) networks.add(area);
  return networks;
}

type LineInPlace = { readonly lineId: string; readonly place: Area };

function openEvidence(
  { lines }: PlaceLosses,
  { lineId, place, at }: LineInPlace & { readonly at: number },
  tries: Tries,
): Evidence {
  const ofLine = findOrAdd(lines, lineId, () => new Map());
  const known = ofLine.get(place);
  // A probe that was left open is no try, and moves nothing, unless it had waited for long.
  if (known !== undefined && tries.reached === 0 && !isSign(tries)) return known;
  const evidence = known ?? createEvidence({ isCountry: !isNetwork(place), at });
  putLast(ofLine, place, evidence);
  return evidence;
}

export function beginLoss(
  { lost }: PlaceLosses,
  { lineId, place, evidence }: LineInPlace & { readonly evidence: Evidence },
): void {
  evidence.isLost = true;
  findOrAdd(lost, lineId, () => new Set()).add(place);
}

/** Ends a loss. If a country recovers, so do its networks without a failure in the last 10 minutes. */
function endLoss(
  { lines, lost }: PlaceLosses,
  { lineId, place, at }: LineInPlace & { readonly at: number },
): void {
  for (const [area, evidence] of lines.get(lineId) ?? []) {
    const isPart =
      !isNetwork(place) && countryOf(area) === countryOf(place) && evidence.failedAt < at - TRIED_LATELY_MS;
    if (area !== place && !isPart) continue;
    Object.assign(evidence, { isLost: false, sum: 0, runSum: 0, runFailures: 0 });
    removeLoss(lost, lineId, area);
  }
}

/**
 * Nobody has failed for half an hour: steering sends so few visitors there that three successes may take hours. A country needs two
 * networks that failed lately: a single one is lost alone.
 */
function endOldLosses(losses: PlaceLosses, at: number): void {
  for (const [lineId, places] of losses.lost) {
    const ofLine = losses.lines.get(lineId);
    const failsLately = (place: Area): boolean => (ofLine?.get(place)?.signAt ?? 0) >= at - FORGET_MS;
    for (const place of places) {
      const failing = isNetwork(place) ? [place] : [...(ofLine?.get(place)?.failing?.keys() ?? [])];
      if (failing.filter(failsLately).length < (isNetwork(place) ? 1 : MIN_FAILING_NETWORKS))
        endLoss(losses, { lineId, place, at });
    }
  }
}

function* forgetOld(losses: PlaceLosses, at: number): Generator<void, void> {
  const { lines } = losses;
  for (const [lineId, ofLine] of lines) {
    for (const [place, { triedAt, signAt }] of ofLine) {
      if (Math.max(triedAt, signAt) >= at - REMEMBER_MS) break;
      forget(losses, { lineId, place });
    }
    if (ofLine.size === 0) lines.delete(lineId);
  }
  const most = limitPlaces(lines.size);
  for (const [lineId, ofLine] of lines) {
    for (const place of listSurplus(ofLine, most)) forget(losses, { lineId, place });
    yield;
  }
}

/**
 * Lists what is forgotten: places without a failure first and lost places last, so that a flood hides no loss. Half of the room stays for places
 * without a failure: otherwise a line lost in half of the networks would look lost everywhere.
 */
function listSurplus(ofLine: ReadonlyMap<Area, Evidence>, most: number): readonly Area[] {
  const surplus = ofLine.size - most;
  if (surplus <= 0) return [];
  const well: Area[] = [];
  const doubtful: Area[] = [];
  const lost: Area[] = [];
  for (const [area, evidence] of ofLine)
    (evidence.isLost ? lost : hasSigns(evidence) ? doubtful : well).push(area);
  const spared = well.splice(Math.max(0, well.length - Math.floor(most / 2)));
  return [...well, ...doubtful, ...lost, ...spared].slice(0, surplus);
}

/** Forgets a network, and its failures in the evidence of its country. */
function forget({ lines, lost }: PlaceLosses, { lineId, place }: LineInPlace): void {
  const ofLine = lines.get(lineId);
  ofLine?.delete(place);
  ofLine?.get(countryPlaceOf(place))?.failing?.delete(place);
  removeLoss(lost, lineId, place);
}

/** Leaves no empty set behind: a portal that reads a snapshot has none, either, and must list lines in the same order. */
function removeLoss(lost: PlaceLosses['lost'], lineId: string, place: Area): void {
  const places = lost.get(lineId);
  places?.delete(place);
  if (places?.size === 0) lost.delete(lineId);
}

/** What the voters of a network met together. */
function addUpVoters(
  voters: SeenByVoter,
  known: { readonly paces: Pick<Paces, 'lines'>; readonly area: Area },
): ReadonlyMap<string, Tries> {
  const sums = new Map<string, Tries>();
  for (const byLine of voters.values()) {
    const waits = weighWaits(byLine, known);
    for (const [lineId, { reached, lost, failed }] of byLine) {
      const before = sums.get(lineId) ?? {
        reached: 0,
        lost: 0,
        countedLost: 0,
        open: 0,
        openSays: undefined,
      };
      const says = waits.get(lineId);
      sums.set(lineId, {
        reached: before.reached + reached,
        lost: before.lost + lost,
        countedLost: before.countedLost + Math.min(lost, MAX_FAILURES_OF_VOTER),
        open: before.open + countOpen({ lost, failed }),
        openSays: says === undefined ? before.openSays : (before.openSays ?? 0) + says,
      });
    }
  }
  return sums;
}

/** The same of one country, or of all. */
function countTried(ofLine: ReadonlyMap<Area, Evidence>, now: number, country?: string): number {
  const start = country === undefined ? '' : createArea(country, '');
  let count = 0;
  for (const [area, evidence] of ofLine) {
    if (!evidence.isCountry && isTriedLately(evidence, now) && area.startsWith(start)) count += 1;
  }
  return count;
}

function isTriedLately({ triedAt }: Evidence, now: number): boolean {
  return triedAt >= now - TRIED_LATELY_MS;
}
