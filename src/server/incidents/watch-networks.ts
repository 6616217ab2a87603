import { type Area, countryOf, createArea, networkIn } from '../learning/area.ts';
import { OPEN_PART } from '../learning/count-report.ts';
import type { Counts, Observation } from '../learning/counts.ts';

/** A line that the visitors of a network, or of a whole country, do not reach. */
export type NetworkLoss = {
  /** Without a network, such as `GB/`, for a whole country. */
  readonly area: Area;
  /** How many networks of those that have tried the line lately this stands for: none if all of it is older. */
  readonly networks: number;
  readonly lineId: string;
  /** When the first of the failures that count was seen. */
  readonly since: number;
  /** How many visitors have lost the line since then. */
  readonly visitors: number;
};

export type NetworkWatch = {
  /** Takes a window of counts that has closed. */
  readonly addWindow: (counts: Pick<Counts, 'areas'>, at: number) => void;
  /** Takes up a loss that was known before the server was started again. */
  readonly resume: (loss: Pick<NetworkLoss, 'area' | 'lineId' | 'since' | 'visitors'>, at: number) => void;
  readonly losses: (now: number) => readonly NetworkLoss[];
  /** How many networks have tried a line lately, whether they reached it or not. */
  readonly countNetworks: (lineId: string, now: number) => number;
};

/**
 * Page's cumulative sum (CUSUM): each failure and each success adds how much likelier it is where a line is lost than where
 * it is not. The sum never falls under 0, so that a good past does not hide a bad present.
 */
const NORMAL_FAILURES = 0.03;
const FAILURES_WHEN_LOST = 0.7;
const ADDED_BY_FAILURE = Math.log(FAILURES_WHEN_LOST / NORMAL_FAILURES);
const ADDED_BY_SUCCESS = Math.log((1 - FAILURES_WHEN_LOST) / (1 - NORMAL_FAILURES));
/** Four failures in a row. By chance, where 1.5 tries in 100 fail, that happens once in 20 million tries. */
const LOST_AT = 3.5 * ADDED_BY_FAILURE;
/** The sum grows no further, or a line that was lost for hours would be lost for hours after it has come back. */
const MOST = 5 * ADDED_BY_FAILURE;
/** So many successes in a row, and the line is no longer lost: steering sends few visitors there, so few can tell. */
const SUCCESSES_THAT_END = 3;
/** The word of one voter, a /24 or /48, counts for so many failures of a window: one visitor may try again and again. */
const MAX_FAILURES_OF_VOTER = 2;
/** A line that nobody of an area has tried for this long is not known to be lost there, and older failures say nothing. */
const FORGET_MS = 30 * 60_000;
const LATELY_MS = 10 * 60_000;
/**
 * Whoever sends from many networks adds a cell for each of them and each line. Nothing else bounds these: ten reports of a /24 count in
 * five minutes, but there are 65,536 networks of IPv4 alone. A cell has about 0.5 KB.
 */
const MAX_CELLS = 100_000;
const MAX_CELLS_OF_LINE = 10_000;
/** A country loses a line if there are so many failures beside those of the network that has most of them. */
const MIN_FAILURES_ELSEWHERE = 3;
/** Of one network so many failures count for its country: others may have had bad luck while it has lost the line. */
const MAX_FAILURES_OF_NETWORK = 2;

/**
 * Where a line swallows what is sent to it, most visitors leave before their probe has failed. So a run of visitors of whom none
 * reached the line counts, too: each who left adds by how much likelier that is if the line is lost than it usually is here. Three of
 * the run must have failed, because a line that became slow is left open as often.
 */
const MIN_FAILURES_OF_RUN = 3;
const LOST_AT_OF_RUN = 4 * ADDED_BY_FAILURE;
/** No line is believed to be reached more often than this by the time that a visitor leaves. */
const MAX_USUAL_REACH = 0.6;
/** So many tries say what is usual, and older ones are forgotten. */
const MAX_USUAL_TRIES = 200;
/** What is usual at all lines counts like so many tries here, and a little less, because most lines are not the best. */
const PRIOR_TRIES = 10;
const PRIOR_PART = 0.8;
const MAX_SITE_TRIES = 10_000;
/** The part of the visitors of a lost line that leave before it has failed. */
const OPEN_WHEN_LOST = 0.8;

type Cell = {
  sum: number;
  /** Visitors in a row who did not reach it: how many failed, and how much the run says. */
  runFailures: number;
  runSum: number;
  /** What is usual here: how many tried it, those who left before the end included, and how many reached it. */
  readonly usual: { tries: number; reached: number };
  /** Successes since the last failure. */
  successes: number;
  isLost: boolean;
  since: number;
  visitors: number;
  triedAt: number;
  failedAt: number;
  /** Where the failures of `sum` were. */
  readonly failing: Map<Area, number>;
  /** True for the networks of a country together. */
  readonly isCountry: boolean;
};

/** Notices when the visitors of an area lose a line, out of the windows that the steering learns from. */
export function createNetworkWatch(): NetworkWatch {
  /** By line id, by area, the least recently tried first. */
  const cells = new Map<string, Map<Area, Cell>>();
  /** How many tries there were of all lines, and how many of them reached it. */
  const site = { tries: 0, reached: 0 };

  return {
    addWindow: ({ areas }, at) => {
      const usualReach = site.tries === 0 ? 0 : (PRIOR_PART * site.reached) / site.tries;
      const changed = new Map<Cell, { readonly lineId: string; readonly place: Area }>();
      for (const [area, voters] of areas) {
        const country = countryOf(area);
        const circumstances = { area, at, usualReach };
        // The networks of a country are also looked at together: each may have too few visitors to tell.
        const places = country === undefined ? [area] : [area, createArea(country, '')];
        for (const [lineId, seen] of addUpVoters(voters)) {
          for (const place of places) {
            const cell = openCell(lineId, place, at);
            note(cell, seen, circumstances);
            changed.set(cell, { lineId, place });
          }
          noteUsual(site, seen, MAX_SITE_TRIES);
        }
      }
      // Now that all of the window is known: successes of a network may come after failures of another.
      for (const [cell, { lineId, place }] of changed) {
        if (cell.isLost && cell.successes >= SUCCESSES_THAT_END) endLoss(lineId, place, at);
        else cell.isLost ||= hasEvidence(cell) && isWidespread(cell);
      }
      forgetOld(at);
    },
    resume: ({ area, lineId, since, visitors }, at) => {
      const cell = openCell(lineId, area, at);
      if (cell.isLost) return;
      Object.assign(cell, { isLost: true, sum: MOST, since, visitors });
      // Which networks of a country have failed is no longer known, so that everyone there is heard.
      if (isNetwork(area)) cell.failing.set(area, 1);
    },
    losses: (now) =>
      [...cells].flatMap(([lineId, ofLine]) => {
        const isLost = (area: Area): boolean => ofLine.get(area)?.isLost ?? false;
        return [...ofLine].flatMap(([area, cell]) => {
          if (!cell.isLost || (isNetwork(area) && isLost(createArea(countryOf(area), '')))) return [];
          const { since, visitors } = cell;
          const networks = isNetwork(area)
            ? Number(isTriedLately(cell, now))
            : countTried(ofLine, now, countryOf(area));
          return [{ area, lineId, since, visitors, networks }];
        });
      }),
    countNetworks: (lineId, now) => countTried(cells.get(lineId) ?? new Map(), now),
  };

  function openCell(lineId: string, area: Area, at: number): Cell {
    let ofLine = cells.get(lineId);
    if (ofLine === undefined) cells.set(lineId, (ofLine = new Map()));
    const cell = ofLine.get(area) ?? createCell(area, at);
    ofLine.delete(area); // It goes to the end of the queue.
    ofLine.set(area, cell);
    return cell;
  }

  /** A network that nobody has lately seen fail was lost with its country, and is well with it. */
  function endLoss(lineId: string, place: Area, at: number): void {
    for (const [area, cell] of cells.get(lineId) ?? []) {
      const isPart =
        !isNetwork(place) && countryOf(area) === countryOf(place) && cell.failedAt < at - LATELY_MS;
      if (area === place || isPart) Object.assign(cell, { isLost: false, sum: 0 });
    }
  }

  function forgetOld(at: number): void {
    for (const [lineId, ofLine] of cells) {
      for (const [area, { triedAt }] of ofLine) if (triedAt < at - FORGET_MS) forget(ofLine, area);
      if (ofLine.size === 0) cells.delete(lineId);
    }
    const most = Math.min(MAX_CELLS_OF_LINE, Math.floor(MAX_CELLS / cells.size));
    for (const ofLine of cells.values()) forgetSurplus(ofLine, most);
  }
}

function createCell(area: Area, at: number): Cell {
  return {
    sum: 0,
    runFailures: 0,
    runSum: 0,
    usual: { tries: 0, reached: 0 },
    successes: 0,
    isLost: false,
    since: at,
    visitors: 0,
    triedAt: at,
    failedAt: at,
    failing: new Map(),
    isCountry: !isNetwork(area),
  };
}

/**
 * Cells without a failure go first, and those that are lost go last: a flood of reports must not hide them. Half of the room stays
 * for cells without a failure, or a line that half of the networks have lost would look lost everywhere.
 */
function forgetSurplus(ofLine: Map<Area, Cell>, most: number): void {
  const surplus = ofLine.size - most;
  if (surplus <= 0) return;
  const well: Area[] = [];
  const doubtful: Area[] = [];
  const lost: Area[] = [];
  for (const [area, cell] of ofLine) (cell.isLost ? lost : hasSigns(cell) ? doubtful : well).push(area);
  const spared = well.splice(Math.max(0, well.length - Math.floor(most / 2)));
  for (const area of [...well, ...doubtful, ...lost, ...spared].slice(0, surplus)) forget(ofLine, area);
}

/** With a network, its country forgets the failures that it had there. */
function forget(ofLine: Map<Area, Cell>, area: Area): void {
  ofLine.delete(area);
  ofLine.get(createArea(countryOf(area), ''))?.failing.delete(area);
}

function hasSigns({ sum, runFailures, isLost }: Cell): boolean {
  return sum > 0 || runFailures > 0 || isLost;
}

type Seen = {
  readonly reached: number;
  readonly lost: number;
  /** The failures that count. */
  readonly countedLost: number;
  /** Probes that were still open when their visitors left. */
  readonly open: number;
};

type Circumstances = {
  /** The network that it was seen in. */
  readonly area: Area;
  readonly at: number;
  /** The part of the tries that reach a line by the time that the visitor leaves, as far as nothing else is known. */
  readonly usualReach: number;
};

function addUpVoters(
  voters: ReadonlyMap<number, ReadonlyMap<string, Pick<Observation, 'reached' | 'failed' | 'lost'>>>,
): ReadonlyMap<string, Seen> {
  const sums = new Map<string, Seen>();
  for (const byLine of voters.values()) {
    for (const [lineId, { reached, lost, failed }] of byLine) {
      const before = sums.get(lineId) ?? { reached: 0, lost: 0, countedLost: 0, open: 0 };
      sums.set(lineId, {
        reached: before.reached + reached,
        lost: before.lost + lost,
        countedLost: before.countedLost + Math.min(lost, MAX_FAILURES_OF_VOTER),
        open: before.open + (failed - lost) / OPEN_PART,
      });
    }
  }
  return sums;
}

function hasEvidence({ sum, runSum, runFailures }: Cell): boolean {
  return sum >= LOST_AT || (runSum >= LOST_AT_OF_RUN && runFailures >= MIN_FAILURES_OF_RUN);
}

function isWidespread({ isCountry, failing }: Cell): boolean {
  if (!isCountry) return true;
  const failures = [...failing.values()];
  return failures.reduce((sum, each) => sum + each, 0) - Math.max(0, ...failures) >= MIN_FAILURES_ELSEWHERE;
}

function isNetwork(area: Area): boolean {
  return networkIn(area) !== '';
}

/** How many networks have tried a line lately: all, or those of one country. */
function countTried(ofLine: ReadonlyMap<Area, Cell>, now: number, country?: string): number {
  let count = 0;
  for (const [area, cell] of ofLine) {
    const isThere = country === undefined || countryOf(area) === country;
    if (isNetwork(area) && isThere && isTriedLately(cell, now)) count += 1;
  }
  return count;
}

function isTriedLately({ triedAt }: Cell, now: number): boolean {
  return triedAt >= now - LATELY_MS;
}

function note(
  cell: Cell,
  { reached, lost, countedLost, open }: Seen,
  { area, at, usualReach }: Circumstances,
): void {
  if (reached + lost > 0) cell.triedAt = at;
  const isOld = cell.failedAt < at - FORGET_MS;
  if (!cell.isLost && isOld && hasSigns(cell)) Object.assign(cell, { sum: 0, runSum: 0, runFailures: 0 });
  if (!hasSigns(cell)) {
    cell.since = at;
    cell.visitors = 0;
    // `clear` takes new memory, also if there is nothing to clear.
    if (cell.failing.size > 0) cell.failing.clear();
  }
  const before = cell.failing.get(area) ?? 0;
  const room = cell.isCountry ? MAX_FAILURES_OF_NETWORK - before : Infinity;
  const counted = Math.min(countedLost, room);
  noteRun(cell, { reached, countedLost: counted, open, usualReach });
  noteSuccesses(cell, { area, reached, lost });
  cell.visitors += lost;
  if (lost > 0) {
    cell.failedAt = at;
    cell.failing.set(area, before + counted);
  }
  // The order within a window is not known, so all of it is added at once.
  const sum = cell.sum + counted * ADDED_BY_FAILURE + reached * ADDED_BY_SUCCESS;
  cell.sum = Math.min(MOST, Math.max(0, sum));
}

/**
 * In a country that has lost a line, some networks may never have lost it, so only those that failed tell when it is back. If the
 * others of these have not tried it for long, the country is no longer what fails: then everyone is heard, and the one
 * network that still fails has lost the line alone.
 */
function noteSuccesses(
  cell: Cell,
  { area, reached, lost }: Pick<Seen, 'reached' | 'lost'> & Pick<Circumstances, 'area'>,
): void {
  const { isCountry, isLost, failing } = cell;
  const isOfOne = isCountry && isLost && failing.size <= 1;
  const isThatOne = isOfOne && failing.has(area);
  if (lost > 0 && !isThatOne) cell.successes = 0;
  else if (lost === 0 && (isOfOne || failing.has(area))) cell.successes += reached;
}

function noteRun(
  cell: Cell,
  { reached, countedLost, open, usualReach }: Omit<Seen, 'lost'> & Pick<Circumstances, 'usualReach'>,
): void {
  const { usual } = cell;
  const reach = (usual.reached + PRIOR_TRIES * usualReach) / (usual.tries + PRIOR_TRIES);
  if (reached > 0) {
    cell.runFailures = 0;
    cell.runSum = 0;
  } else {
    const addedByOpen = Math.log(OPEN_WHEN_LOST / (1 - Math.min(MAX_USUAL_REACH, reach)));
    cell.runFailures += countedLost;
    cell.runSum += countedLost * ADDED_BY_FAILURE + open * Math.max(0, addedByOpen);
  }
  if (!cell.isLost && cell.runFailures === 0) noteUsual(usual, { reached, open }, MAX_USUAL_TRIES);
}

function noteUsual(
  usual: Cell['usual'],
  { reached, open }: Pick<Seen, 'reached' | 'open'>,
  maxTries: number,
): void {
  const kept = Math.min(1, maxTries / (usual.tries + 1));
  usual.tries = usual.tries * kept + reached + open;
  usual.reached = usual.reached * kept + reached;
}
