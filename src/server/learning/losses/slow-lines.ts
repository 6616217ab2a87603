import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts';
import { findOrAdd } from '../../process/find-or-add.ts';
import { forgetOldest, putLast } from '../../process/forget-oldest.ts';
import { type Area, countryOf } from '../area.ts';
import { addCount } from '../counts.ts';
import type { SeenByVoter } from '../view.ts';
import { SLOW_LINE, addTimes } from './cusum.ts';
import { EVERYWHERE, type SeenByArea, isNetwork, limitPlaces, listPlaces } from './places.ts';

/** How long the lines take visitors, compared with how long they took before. */
export type Paces = {
  /** By line id, by place, the least recently measured first: a network, a country, or `EVERYWHERE`. */
  readonly lines: Map<string, Map<Area, Pace>>;
  /** Where each line is slow: the same as `isSlow`, so that nobody has to look through all of it. */
  readonly slow: Map<string, Set<Area>>;
  /** All lines of a place together: visitors whose own network is slow have slow lines only. */
  readonly lately: Map<Area, Lately>;
};

/**
 * Times of the last minutes, each as a multiple of the usual time. `lateSum` adds up the logarithms of the multiples, of which
 * each counts as at least a half and at most two. `MAX_SHIFT_LN` is added to each logarithm, so that a snapshot has no number below 0.
 * Older times fade.
 */
export type Lately = { lateTimes: number; lateSum: number; at: number };

/** What is known of how long a line takes in a place. `at` says when that was last measured. */
export type Pace = Lately & {
  /**
   * How long it took before: the number of times, and the mean of their logarithms. In a country and everywhere, each network is compared with
   * itself, and this is for networks of which nothing is known.
   */
  usualTimes: number;
  usualLn: number;
  /** How much speaks for a slow line, and since when. */
  sum: number;
  since: number;
  /** The times since then that were slow: how many, and the sum of the logarithms of how many times as long they were. */
  visitors: number;
  slowSum: number;
  isSlow: boolean;
  /** By network: how many of the times since then were slow. Undefined where none was, as in most places. */
  slowIn: Map<Area, number> | undefined;
};

/** A line that has become slow. */
export type SlowLine = {
  /** The networks and countries where it is slow. Empty if it is slow everywhere. */
  readonly places: readonly Area[];
  /** Its time as a multiple of what it was before. */
  readonly times: number;
  readonly since: number;
  readonly visitors: number;
};

/** It is over when hardly anything speaks for it any more: after three or four answers that are as fast as before. */
const SLOW_UNTIL = SLOW_LINE.slowAt / 3;
/** It must last: a minute of slow answers is over before anybody could act. */
const MIN_SLOW_MS = 5 * MINUTE_MS;
/** A line that nobody has measured for this long is not known to be slow. */
const FORGET_PACE_MS = 30 * MINUTE_MS;
/** After a day the new time is the usual one. */
const USUAL_AFTER_MS = DAY_MS;
const USUAL_HALF_LIFE_MS = DAY_MS / 2;
const LATE_HALF_LIFE_MS = 5 * MINUTE_MS;
/** With fewer times than this nobody knows what is usual. */
const MIN_USUAL = 8;
/** Two times of one voter, a /24 or /48, count in a window, and two of one network for its country and for everywhere. */
const MAX_TIMES = 2;
/** Three slow times, and a fifth of all, must be outside the network, or the country, that has most of them. */
const MIN_SLOW_ELSEWHERE = 3;
const MIN_PART_ELSEWHERE = 0.2;
/** Two times of other lines that took as long as always are added to what was measured, so that one time says little. */
const PRIOR_TIMES = 2;
/** A time is slow from here on: in the middle between a line that is well and a slow one. */
const SLOW_LN = Math.log(SLOW_LINE.normal * SLOW_LINE.slow) / 2;
/** A line that takes five times as long often answers after its visitors have left. For three minutes after an answer it counts as such a line. */
const TOO_SLOW_LN = Math.log(5);
const TOO_SLOW_FOR_MS = 3 * MINUTE_MS;
/** One line must not make all lines of a place look slow. */
const MAX_SHIFT_LN = Math.LN2;
/** The latest networks of a line say enough. */
const MAX_NETWORKS = 1_000;

export function createPaces(): Paces {
  return { lines: new Map(), slow: new Map(), lately: new Map() };
}

export function createPace(at: number): Pace {
  return {
    usualTimes: 0,
    usualLn: 0,
    lateTimes: 0,
    lateSum: 0,
    at,
    sum: 0,
    since: at,
    visitors: 0,
    slowSum: 0,
    isSlow: false,
    slowIn: undefined,
  };
}

/** Adds the times of a window to what is known, step by step. */
export function* foldPaces(paces: Paces, areas: SeenByArea, at: number): Generator<void, void> {
  for (const [area, voters] of areas) {
    for (const [lineId, seen] of addUpTimes(voters)) {
      const own = openPace(paces, { lineId, place: area, at });
      const measuredAt = own.at;
      if (own.usualTimes >= MIN_USUAL) {
        const measured = { lineId, network: area, times: seen.times, meanLn: seen.meanLn - own.usualLn, at };
        noteTimes(paces, own, { ...measured, place: area });
        const fewer = { ...measured, times: Math.min(seen.times, MAX_TIMES) };
        for (const place of listWiderPlaces(area))
          noteTimes(paces, openPace(paces, { lineId, place, at }), { ...fewer, place });
      }
      own.at = at;
      if (own.sum === 0) {
        noteUsual(own, seen, measuredAt);
        // The networks that are known say what is usual around them. Those of a flood are not.
        for (const place of own.usualTimes < MIN_USUAL ? [] : listWiderPlaces(area)) {
          const wide = openPace(paces, { lineId, place, at });
          noteUsual(wide, { ...seen, times: Math.min(seen.times, MAX_TIMES) }, wide.at);
        }
      }
    }
    yield;
  }
  yield* forgetOld(paces, at);
}

/** Says where a line is slow, and how slow. Undefined if it is not. */
export function findSlowLine({ lines, slow }: Paces, lineId: string, now: number): SlowLine | undefined {
  const ofLine = lines.get(lineId);
  const found = [...(slow.get(lineId) ?? [])].flatMap((place) => {
    const pace = ofLine?.get(place);
    return pace !== undefined && now - pace.at < FORGET_PACE_MS ? [{ place, pace }] : [];
  });
  const wide = new Set(found.map(({ place }) => place));
  const isCovered = (place: Area): boolean =>
    place !== EVERYWHERE && listWiderPlaces(place).some((wider) => wide.has(wider));
  const told = found.filter(({ place }) => !isCovered(place));
  const [most] = told.toSorted((one, other) => other.pace.visitors - one.pace.visitors);
  if (most === undefined) return undefined;
  return {
    places: told.map(({ place }) => place).filter((place) => place !== EVERYWHERE),
    times: Math.exp(most.pace.slowSum / most.pace.visitors),
    since: Math.min(...told.map(({ pace }) => pace.since)),
    visitors: told.reduce((sum, { pace }) => sum + pace.visitors, 0),
  };
}

/**
 * Leaves out the failures of lines that have become so slow that many visitors leave, or give up, before they answer: such a line is slow,
 * not lost.
 */
export function excuseSlowLines(
  { lines }: Pick<Paces, 'lines'>,
  voters: SeenByVoter,
  { area, at }: { readonly area: Area; readonly at: number },
): SeenByVoter {
  const places = [area, ...listWiderPlaces(area)];
  const isExcused = (lineId: string): boolean => {
    const ofLine = lines.get(lineId);
    return places.some((place) => isTooSlow(ofLine?.get(place), place, at));
  };
  const excused = new Map(voters);
  for (const [voter, byLine] of voters) {
    const slow = [...byLine].filter(([lineId, { lost }]) => lost > 0 && isExcused(lineId));
    if (slow.length === 0) continue;
    const less = slow.map(([lineId, seen]) => [lineId, { ...seen, failed: 0, lost: 0 }] as const);
    excused.set(voter, new Map([...byLine, ...less]));
  }
  return excused;
}

/** Only while it still answers somebody: a line may be slow at first, and then dead. */
function isTooSlow(pace: Pace | undefined, place: Area, at: number): boolean {
  if (pace === undefined || pace.sum < SLOW_LINE.slowAt || at - pace.at > TOO_SLOW_FOR_MS) return false;
  return pace.slowSum >= pace.visitors * TOO_SLOW_LN && isWidespread(pace, place);
}

type Place = { readonly lineId: string; readonly place: Area; readonly at: number };
type Times = { readonly times: number; readonly meanLn: number };

function openPace({ lines }: Paces, { lineId, place, at }: Place): Pace {
  const ofLine = findOrAdd(lines, lineId, () => new Map());
  const pace = ofLine.get(place) ?? createPace(at);
  putLast(ofLine, place, pace);
  return pace;
}

/** Compares times with what is usual, and with the other lines of the place. */
function noteTimes(
  paces: Paces,
  pace: Pace,
  { lineId, place, network, times, meanLn, at }: Place & Times & { readonly network: Area },
): void {
  const all = findOrAdd(paces.lately, place, () => ({ lateTimes: 0, lateSum: 0, at }));
  // Nobody has measured it for half an hour. What was seen before may have been another trouble.
  if (at - pace.at > FORGET_PACE_MS) pace.sum = 0;
  fade(all, at);
  fade(pace, at);
  const [othersTimes, othersSum] = [all.lateTimes - pace.lateTimes, all.lateSum - pace.lateSum];
  const others = (othersSum - othersTimes * MAX_SHIFT_LN) / (othersTimes + PRIOR_TIMES);
  const excess = meanLn - Math.max(0, others);
  for (const lately of [all, pace]) {
    lately.lateTimes += times;
    lately.lateSum += times * (MAX_SHIFT_LN + Math.min(MAX_SHIFT_LN, Math.max(-MAX_SHIFT_LN, meanLn)));
  }
  if (pace.sum === 0 || at - pace.since > USUAL_AFTER_MS) beginAnew(paces, pace, { lineId, place, at });
  pace.sum = addTimes(pace.sum, { times, meanLn: excess }, SLOW_LINE);
  if (excess >= SLOW_LN) {
    pace.visitors += times;
    pace.slowSum += times * excess;
    pace.slowIn ??= new Map();
    addCount(pace.slowIn, network, times);
    forgetOldest(pace.slowIn, MAX_NETWORKS);
  }
  const isLong = at - pace.since >= MIN_SLOW_MS;
  if (pace.isSlow && pace.sum <= SLOW_UNTIL) endWithParts(paces, pace, { lineId, place });
  else if (!pace.isSlow && isLong && pace.sum >= SLOW_LINE.slowAt && isWidespread(pace, place))
    beginSlowness(paces, pace, { lineId, place });
}

/** Nothing speaks for a slow line yet, or it has been slow for so long that this is usual now. */
function beginAnew(paces: Paces, pace: Pace, { lineId, place, at }: Place): void {
  if (pace.sum > 0) Object.assign(pace, { usualTimes: 0, usualLn: 0, sum: 0 });
  endSlowness(paces, pace, { lineId, place });
  Object.assign(pace, { since: at, visitors: 0, slowSum: 0, slowIn: undefined });
}

/** A country, or everywhere, is slow only if several of its networks are. Otherwise the one network is slow alone. */
function isWidespread({ slowIn = new Map<Area, number>() }: Pace, place: Area): boolean {
  if (isNetwork(place)) return true;
  if (!isSpread([...slowIn.values()])) return false;
  if (place !== EVERYWHERE) return true;
  const byCountry = new Map<string, number>();
  for (const [network, times] of slowIn) {
    const country = countryOf(network);
    // Where countries are not known, networks must do.
    if (country === undefined) return true;
    addCount(byCountry, country, times);
  }
  return isSpread([...byCountry.values()]);
}

function isSpread(slow: readonly number[]): boolean {
  const all = slow.reduce((sum, times) => sum + times, 0);
  return all - Math.max(0, ...slow) >= Math.max(MIN_SLOW_ELSEWHERE, all * MIN_PART_ELSEWHERE);
}

type LineInPlace = Pick<Place, 'lineId' | 'place'>;

export function beginSlowness(
  { slow }: Pick<Paces, 'slow'>,
  pace: Pace,
  { lineId, place }: LineInPlace,
): void {
  pace.isSlow = true;
  findOrAdd(slow, lineId, () => new Set()).add(place);
}

/** If a country is no longer slow, neither are its networks: few visitors may come from each of them. One that is slow alone is found again. */
function endWithParts(paces: Paces, pace: Pace, { lineId, place }: LineInPlace): void {
  endSlowness(paces, pace, { lineId, place });
  if (isNetwork(place)) return;
  const ofLine = paces.lines.get(lineId);
  for (const part of paces.slow.get(lineId) ?? []) {
    const slow = ofLine?.get(part);
    if (slow === undefined || !listWiderPlaces(part).includes(place)) continue;
    endSlowness(paces, slow, { lineId, place: part });
    slow.sum = 0;
  }
}

/** Leaves no empty set behind: a portal that reads a snapshot has none, either. */
function endSlowness({ slow }: Paces, pace: Pace, { lineId, place }: LineInPlace): void {
  pace.isSlow = false;
  const places = slow.get(lineId);
  places?.delete(place);
  if (places?.size === 0) slow.delete(lineId);
}

/** Adds times to what is usual. Older ones fade by half in twelve hours. */
function noteUsual(pace: Pace, { times, meanLn }: Times, measuredAt: number): void {
  const kept = pace.usualTimes * partLeft(pace.at - measuredAt, USUAL_HALF_LIFE_MS);
  pace.usualLn = (pace.usualLn * kept + meanLn * times) / (kept + times);
  pace.usualTimes = kept + times;
}

function fade(lately: Lately, at: number): void {
  const left = partLeft(at - lately.at, LATE_HALF_LIFE_MS);
  lately.lateTimes *= left;
  lately.lateSum *= left;
  lately.at = at;
}

/** Which part of older times still counts after this time. */
function partLeft(passedMs: number, halfLifeMs: number): number {
  return 2 ** (-Math.max(0, passedMs) / halfLifeMs);
}

function* forgetOld(paces: Paces, at: number): Generator<void, void> {
  const { lines, slow, lately } = paces;
  for (const [lineId, places] of slow) {
    for (const place of places) {
      const pace = lines.get(lineId)?.get(place);
      if (pace === undefined || pace.at >= at - FORGET_PACE_MS) continue;
      endSlowness(paces, pace, { lineId, place });
      pace.sum = 0;
    }
  }
  const most = limitPlaces(lines.size);
  for (const [lineId, ofLine] of lines) {
    for (const [place, pace] of ofLine) {
      if (ofLine.size <= most && pace.at >= at - USUAL_AFTER_MS) break;
      endSlowness(paces, pace, { lineId, place });
      ofLine.delete(place);
    }
    if (ofLine.size === 0) lines.delete(lineId);
    yield;
  }
  for (const [place, { at: measuredAt }] of lately)
    if (measuredAt < at - FORGET_PACE_MS) lately.delete(place);
}

/** The times of each line in a network. One voter has two times at most. */
function addUpTimes(voters: SeenByVoter): readonly (readonly [lineId: string, Times])[] {
  const sums = new Map<string, { times: number; sumLn: number }>();
  for (const byLine of voters.values()) {
    for (const [lineId, { times, sumLnMs }] of byLine) {
      if (times === 0) continue;
      const counted = Math.min(times, MAX_TIMES);
      const sum = sums.get(lineId) ?? { times: 0, sumLn: 0 };
      sums.set(lineId, {
        times: sum.times + counted,
        sumLn: sum.sumLn + (sumLnMs / times) * counted,
      });
    }
  }
  return [...sums].map(([lineId, { times, sumLn }]) => [lineId, { times, meanLn: sumLn / times }]);
}

/** The places around a network, or around a country. */
function listWiderPlaces(area: Area): readonly Area[] {
  return [...listPlaces(area).filter((place) => place !== area), EVERYWHERE];
}
