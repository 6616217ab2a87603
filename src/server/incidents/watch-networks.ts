import { type Area, countryOf, createArea, networkIn } from '../learning/area.ts';
import type { Counts } from '../learning/counts.ts';

/** A line that the visitors of a network, or of a whole country, do not reach. */
export type NetworkLoss = {
  /** Without a network, such as `GB/`, for a whole country. */
  readonly area: Area;
  /** How many networks of those that have tried the line lately this stands for. */
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
/** A line that nobody of an area has tried for this long is not known to be lost there. */
const FORGET_MS = 30 * 60_000;
const LATELY_MS = 10 * 60_000;
/** A country loses a line if visitors of so many of its networks do. */
const MIN_FAILING_NETWORKS = 2;

type Cell = {
  sum: number;
  /** Successes since the last failure. */
  successes: number;
  isLost: boolean;
  since: number;
  visitors: number;
  triedAt: number;
  /** Where the failures of `sum` were. */
  readonly failing: Set<Area>;
  /** In so many networks there must be failures. */
  readonly minFailing: number;
};

/** Notices when the visitors of an area lose a line, out of the windows that the steering learns from. */
export function createNetworkWatch(): NetworkWatch {
  /** By line id, by area. A line that nobody loses takes no room. */
  const cells = new Map<string, Map<Area, Cell>>();

  return {
    addWindow: ({ areas }, at) => {
      const changed = new Set<Cell>();
      for (const [area, voters] of areas) {
        const country = countryOf(area);
        // The networks of a country are also looked at together: each may have too few visitors to tell.
        const places = country === undefined ? [area] : [area, createArea(country, '')];
        for (const [lineId, seen] of addUpVoters(voters)) {
          for (const place of places) {
            const cell = openCell(lineId, place, at);
            note(cell, { ...seen, area, at });
            changed.add(cell);
          }
        }
      }
      // Now that all of the window is known: successes of a network may come after failures of another.
      for (const cell of changed) cell.isLost ||= cell.sum >= LOST_AT && cell.failing.size >= cell.minFailing;
      forgetOld(at);
    },
    resume: ({ area, lineId, since, visitors }, at) => {
      const cell = openCell(lineId, area, at);
      if (cell.isLost) return;
      Object.assign(cell, { isLost: true, sum: MOST, since, visitors });
      cell.failing.add(area);
    },
    losses: (now) =>
      [...cells].flatMap(([lineId, ofLine]) => {
        const isLost = (area: Area): boolean => ofLine.get(area)?.isLost ?? false;
        return [...ofLine].flatMap(([area, cell]) => {
          if (!cell.isLost || (isNetwork(area) && isLost(createArea(countryOf(area), '')))) return [];
          const { since, visitors } = cell;
          return [
            {
              area,
              lineId,
              since,
              visitors,
              networks: isNetwork(area) ? 1 : countTried(ofLine, now, countryOf(area)),
            },
          ];
        });
      }),
    countNetworks: (lineId, now) => countTried(cells.get(lineId) ?? new Map(), now),
  };

  function openCell(lineId: string, area: Area, at: number): Cell {
    let ofLine = cells.get(lineId);
    if (ofLine === undefined) cells.set(lineId, (ofLine = new Map()));
    let cell = ofLine.get(area);
    if (cell === undefined) {
      cell = {
        sum: 0,
        successes: 0,
        isLost: false,
        since: at,
        visitors: 0,
        triedAt: at,
        failing: new Set(),
        minFailing: isNetwork(area) ? 1 : MIN_FAILING_NETWORKS,
      };
      ofLine.set(area, cell);
    }
    return cell;
  }

  function forgetOld(at: number): void {
    for (const [lineId, ofLine] of cells) {
      for (const [area, { triedAt }] of ofLine) if (triedAt < at - FORGET_MS) ofLine.delete(area);
      if (ofLine.size === 0) cells.delete(lineId);
    }
  }
}

type Seen = { readonly reached: number; readonly lost: number; readonly countedLost: number };

function addUpVoters(
  voters: ReadonlyMap<number, ReadonlyMap<string, { readonly reached: number; readonly lost: number }>>,
): ReadonlyMap<string, Seen> {
  const sums = new Map<string, Seen>();
  for (const byLine of voters.values()) {
    for (const [lineId, { reached, lost }] of byLine) {
      if (reached === 0 && lost === 0) continue;
      const before = sums.get(lineId) ?? { reached: 0, lost: 0, countedLost: 0 };
      sums.set(lineId, {
        reached: before.reached + reached,
        lost: before.lost + lost,
        countedLost: before.countedLost + Math.min(lost, MAX_FAILURES_OF_VOTER),
      });
    }
  }
  return sums;
}

function isNetwork(area: Area): boolean {
  return networkIn(area) !== '';
}

/** How many networks have tried a line lately: all, or those of one country. */
function countTried(ofLine: ReadonlyMap<Area, Cell>, now: number, country?: string): number {
  let count = 0;
  for (const [area, { triedAt }] of ofLine) {
    const isThere = country === undefined || countryOf(area) === country;
    if (isNetwork(area) && isThere && triedAt >= now - LATELY_MS) count += 1;
  }
  return count;
}

function note(cell: Cell, { reached, lost, countedLost, area, at }: Seen & { area: Area; at: number }): void {
  cell.triedAt = at;
  if (cell.sum === 0 && !cell.isLost) {
    cell.since = at;
    cell.visitors = 0;
    cell.failing.clear();
  }
  cell.visitors += lost;
  if (lost > 0) cell.failing.add(area);
  // The order within a window is not known, so all of it is added at once.
  const sum = cell.sum + countedLost * ADDED_BY_FAILURE + reached * ADDED_BY_SUCCESS;
  cell.sum = Math.min(MOST, Math.max(0, sum));
  // In a country that has lost a line, some networks may never have lost it.
  if (lost > 0) cell.successes = 0;
  else if (cell.failing.has(area)) cell.successes += reached;
  if (cell.isLost && cell.successes >= SUCCESSES_THAT_END) {
    cell.isLost = false;
    cell.sum = 0;
  }
}
